/// One thing that is not the same in two snapshots.
public struct SchemaDifference: Sendable, Equatable {
  /// What happened to it.
  enum Change: Sendable, Equatable {
    case added
    case removed
    /// nil where it had no value, or has none now.
    case changed(was: String?, now: String?)
  }

  /// What the two snapshots are, which decides what a difference is called.
  public enum Occasion: Sendable {
    /// Before a migration, and after it was applied and reverted.
    case wayBack
    /// After a migration was applied the first time and the second.
    case secondTime
    /// As the history has it, and as the database is.
    case drift
  }

  /// The object, and what of it: `table cms.rvu: column work_rvu`.
  let subject: String
  let change: Change

  /// `table cms.rvu: column work_rvu: was numeric(8,2) NOT NULL, now numeric(8,3)`.
  public func line(_ occasion: Occasion) -> String {
    switch change {
    case .added:
      switch occasion {
      case .wayBack: "\(subject): is left over"
      case .secondTime: "\(subject): is there only the second time"
      case .drift: "\(subject): is in the database, and no migration made it"
      }
    case .removed:
      switch occasion {
      case .wayBack: "\(subject): is not put back"
      case .secondTime: "\(subject): is not there the second time"
      case .drift: "\(subject): is not in the database any more"
      }
    case .changed(let was, let now): "\(subject): \(ChangedText(was ?? "none", now ?? "none").description)"
    }
  }
}

extension SchemaSnapshot {
  /// What is not the same in a later snapshot, object by object. What goes or comes with its table or its
  /// column is not reported beside it.
  public func differences(to later: SchemaSnapshot) -> [SchemaDifference] {
    var found: [SchemaDifference] = []
    for name in changed(in: later).sorted() {
      switch (objects[name], later.objects[name]) {
      case (let was?, let now?): found += SchemaSnapshot.differences(was, now)
      case (let was?, nil) where isReported(was, in: later):
        found.append(SchemaDifference(subject: "\(name)", change: .removed))
      case (nil, let now?) where later.isReported(now, in: self):
        found.append(SchemaDifference(subject: "\(name)", change: .added))
      default: break
      }
    }
    return found
  }

  /// Whether the lack of an object in `other` is not said already by the lack of its table.
  private func isReported(_ object: SchemaObject, in other: SchemaSnapshot) -> Bool {
    guard let parent = object.parent, objects[parent] != nil else { return true }
    return other.objects[parent] != nil
  }

  private static func differences(_ was: SchemaObject, _ now: SchemaObject) -> [SchemaDifference] {
    var found: [SchemaDifference] = []
    var whole: [String] = []
    for part in Set(was.parts.keys).union(now.parts.keys).sorted() where was.parts[part] != now.parts[part] {
      if whole.contains(where: { part.hasPrefix($0 + ": ") }) { continue }
      let (old, new) = (was.parts[part], now.parts[part])
      var change = SchemaDifference.Change.changed(was: old, now: new)
      if isMember(part), old == nil || new == nil {
        change = old == nil ? .added : .removed
        whole.append(part)
      }
      found.append(SchemaDifference(subject: "\(was.name): \(part)", change: change))
    }
    return found
  }

  /// Whether a part is a thing in its object; else it is a property that has a value or none.
  private static func isMember(_ part: String) -> Bool {
    (part.hasPrefix("column ") || part.hasPrefix("constraint ")) && !part.contains(": ")
  }
}
