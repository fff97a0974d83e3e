/// One object of a schema, as a snapshot has it.
public struct SchemaObject: Sendable, Equatable {
  /// What it is and what it is called: no two objects of a snapshot agree in both.
  public struct Name: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `table`, `index`, `function`, as PostgreSQL calls it.
    public let kind: String
    /// The qualified name, each part quoted where it has to be: `cms.rvu`, `touch on cms.rvu`,
    /// `cms.fee(integer)`.
    public let identity: String

    /// By kind, then by name.
    public static func < (left: Name, right: Name) -> Bool {
      (left.kind, left.identity) < (right.kind, right.identity)
    }

    /// `table cms.rvu`.
    public var description: String { "\(kind) \(identity)" }
  }

  /// Its name.
  public var name: Name { identity.name }
  /// The table it belongs to and goes with, if it does.
  public var parent: Name? { identity.parent }
  /// What is said of it in SQL's words, by what it is about: `definition`, `column work_rvu`, `column
  /// work_rvu: comment`, `owner`.
  public internal(set) var parts: [String: String] = [:]
  /// Shared, since snapshots of many objects are copied for a few that change.
  private let identity: Identity

  private final class Identity: Sendable {
    let name: Name
    let parent: Name?

    init(_ name: Name, _ parent: Name?) { (self.name, self.parent) = (name, parent) }
  }

  init(name: Name, parent: Name?) { identity = Identity(name, parent) }

  /// Whether the same is said of the same.
  public static func == (left: SchemaObject, right: SchemaObject) -> Bool {
    left.parts == right.parts && left.name == right.name && left.parent == right.parent
  }
}
