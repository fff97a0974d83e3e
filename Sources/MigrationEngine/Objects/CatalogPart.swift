/// Something that the catalog says of an object.
struct CatalogPart {
  /// The object.
  let address: CatalogAddress
  /// By which parts with SQL are sorted.
  let place: Int
  /// What it is about: `column work_rvu`, `column work_rvu: comment`, `grants to analyst`.
  let name: String
  /// What is said, in SQL's words.
  let value: String
  /// How a dump says it: a statement after the object's own, or of a column, a default or a constraint a
  /// line between the table's parentheses; nil where it does not.
  let sql: String?
}
