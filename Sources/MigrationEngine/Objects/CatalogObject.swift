/// One object as the catalog has it, with the statements that make it.
struct CatalogObject {
  /// Marks in a statement where the parentheses of a table are to be, with the lines of ``CatalogPart``.
  static let mark = "\u{1}"
  /// The same as a literal of SQL.
  static let sqlMark = "E'\\x01'"

  let address: CatalogAddress
  let phase: ObjectKind.Phase
  /// The place of its kind among all kinds.
  let rank: Int
  /// What it is, as the server calls it: `view`.
  let kind: String
  /// Its name as the server writes it, qualified and quoted.
  let name: String
  /// The relation that it belongs to and goes with, if it does.
  let relation: CatalogAddress?
  /// What it says of that relation, where it is a piece of it to people, such as a constraint.
  let part: CatalogPart?
  /// Without semicolons at their ends; none where it comes by itself.
  var statements: [String]
  /// A statement that is enough for others that are in a circle with it.
  var placeholder: String?

  /// As people name it: `view cms.price`.
  var label: String { "\(kind) \(name)" }

  /// Whether it is written first where neither depends on the other; numbers of the catalog have no say in
  /// it.
  static func precedes(_ left: CatalogObject, _ right: CatalogObject) -> Bool {
    (left.phase.rawValue, left.rank, left.name) < (right.phase.rawValue, right.rank, right.name)
  }
}
