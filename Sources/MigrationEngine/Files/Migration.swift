import SQLText
import Synchronization
import Values

/// Which way a migration goes.
public enum Direction: String, Sendable {
  /// Forward.
  case up
  /// Back.
  case down
}

/// A step of the schema, read from its file or files; a folder may have thousands, so that they are shared.
public final class Migration: Sendable {
  /// When a migration is applied.
  public enum Kind: String, Sendable {
    /// Once, in the order of versions.
    case versioned
    /// After all versioned ones, in the order of names, whenever its content has changed.
    case repeatable
  }

  /// What follows `-- rivulet:down`.
  public enum Down: Sendable, Equatable {
    /// The way back.
    case sql(Section)
    /// There is none, and why.
    case irreversible(reason: String)
    /// The file does not say.
    case missing

    /// The SQL of the way back.
    var section: Section? { if case .sql(let section) = self { section } else { nil } }
  }

  /// Versioned or repeatable.
  public let kind: Kind
  /// What the file's name says before the name: `0007`; of a repeatable one its name.
  public let version: String
  /// The rest of the file's name, such as `opps_cap`.
  public let name: String
  /// The path of the file that holds `up`.
  public var file: String { up.file }
  /// Which half of its file it is; nil where the file has none.
  public let half: Half?
  /// Of a first half, the text of the second.
  let rest: String
  /// The datasets that it is for; none for a migration of every database.
  public let datasets: [String]
  /// What must be true before it starts: a query for one boolean.
  public let require: Section?
  /// What brings the schema forward.
  public let up: Section
  /// What reverts it.
  public let down: Down
  /// What fails when `up` has not done what it promises.
  public let verify: Section?
  /// Why sections of it cannot be run.
  let faults: [MigrationError]
  /// The checksum once it was asked for: `status` asks for that of every migration, and `verify` for a status
  /// at each of its steps.
  private let knownChecksum = Mutex<String?>(nil)

  init(
    _ kind: Kind = .versioned, version: String, name: String, half: Half? = nil, rest: String = "",
    datasets: [String] = [], require: Section? = nil, up: Section, down: Down, verify: Section? = nil
  ) {
    (self.kind, self.version, self.name, self.half, self.rest) = (kind, version, name, half, rest)
    (self.datasets, self.require, self.up, self.down, self.verify) = (datasets, require, up, down, verify)
    faults = [up.fault, require?.fault, down.section?.fault, verify?.fault].compactMap(\.self)
  }

  /// SHA-256 of the sections; line ends, blanks at their ends and comments left out, but not what batches go along.
  public var checksum: String {
    knownChecksum.withLock { known in
      let checksum = known ?? computedChecksum
      known = checksum
      return checksum
    }
  }

  private var computedChecksum: String {
    var hash = SHA256()
    hash.update("up\n")
    Migration.add(up, to: &hash)
    hash.update("\ndown")
    switch down {
    case .sql(let section):
      hash.update("\n")
      Migration.add(section, to: &hash)
    case .irreversible(let reason): hash.update("\nirreversible \(reason)")
    case .missing: break
    }
    for (name, section) in [("require", require), ("verify", verify)] {
      guard let section else { continue }
      hash.update("\n\(name)\n")
      Migration.add(section, to: &hash)
    }
    for (name, section) in [("up", up), ("down", down.section)] {
      for key in section?.batchKeys ?? [] { hash.update("\n\(name) in batches along \(key)") }
    }
    return hash.hexadecimal()
  }

  private static func add(_ section: Section, to hash: inout SHA256) {
    var pieces = NormalisedSQL(section.sql)
    while let piece = pieces.next() { hash.update(piece.span) }
  }

  /// The migration as a file in our own format, whatever format it was read from; of one of two halves, this
  /// one.
  public var text: String {
    let (head, tail) = textAroundUp
    return head + up.sql + tail
  }

  /// ``text`` before and behind the SQL of `up`.
  var textAroundUp: (head: String, tail: String) {
    var way = Migration.part("down", down.section)
    if case .irreversible(let reason) = down { way = "-- rivulet:down irreversible \"\(reason)\"\n" }
    let conditions = Migration.part("require", require)
    let begin = Migration.head(half?.rawValue ?? "up", up)
    let end = Migration.end(of: up) + way
    // What follows the mark of a second half is of it.
    return half == .contract
      ? (begin, end + conditions + Migration.part("verify", verify))
      : (conditions + begin, end + Migration.part("verify", verify))
  }

  private static func part(_ name: String, _ section: Section?) -> String {
    section.map { head(name, $0) + $0.sql + end(of: $0) } ?? ""
  }

  private static func head(_ name: String, _ section: Section) -> String {
    let options = section.options.text
    return MigrationParser.marker + name + (options.isEmpty ? "" : " " + options) + "\n"
  }

  private static func end(of section: Section) -> String { section.sql.hasSuffix("\n") ? "" : "\n" }

  /// As people name it: `0007 opps_cap`.
  public var label: String { kind.label(version, name) }
}

extension Migration.Kind {
  /// As people name a migration of this kind: `0007 opps_cap`, `R grants`; where the name is the version,
  /// once.
  public func label(_ version: String, _ name: String) -> String {
    switch self {
    case .versioned: name.isEmpty || name == version ? version : "\(version) \(name)"
    case .repeatable: "R \(name)"
    }
  }
}
