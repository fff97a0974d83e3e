import SQLText
import Values

/// A step of the schema, read from its file.
public struct Migration: Sendable {
  /// SQL of one section, with the line of the file on which it begins.
  public struct Section: Sendable, Equatable {
    /// The SQL as written.
    public let sql: String
    /// The line of the file that holds the first line of `sql`, from 1.
    public let line: Int
  }

  /// What stands after `-- rivulet:down`.
  public enum Down: Sendable, Equatable {
    /// The way back.
    case sql(Section)
    /// There is none, and why.
    case irreversible(reason: String)
    /// The file does not say.
    case missing
  }

  /// The digits before the first underscore of the file's name, such as `0007`.
  public let version: String
  /// The rest of the file's name, such as `opps_cap`.
  public let name: String
  /// The path of the file.
  public let file: String
  /// What brings the schema forward.
  public let up: Section
  /// What takes it back.
  public let down: Down
  /// What fails when `up` has not done what it promises.
  public let verify: Section?

  /// SHA-256 of the sections, line ends, blanks and comments left out.
  public var checksum: String {
    var parts = ["up", SQLStatements.normalised(up.sql), "down"]
    switch down {
    case .sql(let section): parts.append(SQLStatements.normalised(section.sql))
    case .irreversible(let reason): parts.append("irreversible " + reason)
    case .missing: break
    }
    if let verify { parts += ["verify", SQLStatements.normalised(verify.sql)] }
    return SHA256.hex(of: Array(parts.joined(separator: "\n").utf8))
  }

  /// Whether `version` comes before `other`: by number, so that 10 follows 9 whatever the zeros before them.
  static func precedes(_ version: String, _ other: String) -> Bool {
    let left = version.drop { $0 == "0" }
    let right = other.drop { $0 == "0" }
    return left.count == right.count ? left < right : left.count < right.count
  }

  /// Whether two versions are the same number, however many zeros they begin with.
  static func isSame(_ version: String, _ other: String) -> Bool {
    !precedes(version, other) && !precedes(other, version)
  }
}
