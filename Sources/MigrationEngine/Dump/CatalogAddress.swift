/// An object as `pg_depend` names it: the catalog it is in and its number there.
struct CatalogAddress: Hashable {
  let catalog: String
  let number: String
}
