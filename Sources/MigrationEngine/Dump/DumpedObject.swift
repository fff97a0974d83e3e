/// One object of a dump with the statements that make it.
struct DumpedObject {
  let address: CatalogAddress
  let phase: DumpKind.Phase
  /// The place of its kind among all kinds.
  let rank: Int
  /// Its name as the server writes it, qualified and quoted.
  let name: String
  /// As people name it: `view cms.price`.
  let label: String
  /// Without semicolons at their ends.
  var statements: [String]
  /// A statement that is enough for others that are in a circle with it.
  var placeholder: String?

  /// Whether it is written first where neither depends on the other; numbers of the catalog have no say in
  /// it.
  static func precedes(_ left: DumpedObject, _ right: DumpedObject) -> Bool {
    (left.phase.rawValue, left.rank, left.name) < (right.phase.rawValue, right.rank, right.name)
  }
}
