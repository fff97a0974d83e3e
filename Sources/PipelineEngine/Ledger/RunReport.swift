public import Definitions

/// How a run ended.
public enum RunState: String, Sendable, CaseIterable {
  case running
  /// The release is visible, whole.
  case published
  /// What differs is written to tables that are in sight.
  case merged
  /// The release is loaded and checked, but not visible.
  case staged
  /// The same content is published already; nothing was done.
  case unchanged
  /// The data was refused; nothing was published.
  case refused
  /// Something else failed; nothing was published.
  case failed
  /// Everything was done but to publish, and what was staged is gone again.
  case dryRun = "dry_run"
  /// The run was asked to end.
  case interrupted
}

/// What became of the records of one source.
public struct SourceReport: Sendable {
  /// The number that its rows carry.
  public var sourceFileID: Int
  /// The source's name in the pipeline.
  public var source: String
  /// The file on disk.
  public var file: String
  /// The entry in the archive.
  public var entry: String?
  /// SHA-256 of the entry's content.
  public var sha256 = ""
  /// The entry's size.
  public var bytes = 0
  /// The encoding of its text; of a workbook that of its parts.
  public var encoding = ""
  /// The layout chosen, with its version.
  public var layout = ""
  /// Data records; banner, header and blank lines are none.
  public var read = 0
  /// Records whose rows were kept, by the server's count.
  public var loaded = 0
  /// Records that were refused.
  public var rejected = 0
  /// Records left out, by the rule that says so.
  public var skippedBy: [String: Int] = [:]
  /// Rows, by the table they went to.
  public var targets: [String: Int] = [:]
  /// How many records have a value that a column's code list lacks, by column.
  public var unknownCodes: [String: Int] = [:]
  /// How many values were left blank for not being of their type, by column.
  public var blankedValues: [String: Int] = [:]
  /// The codes that a workbook holds as numbers, where that was asked for.
  var numbers: [CrossCheck.Numbers] = []
  /// Whether the numbers are known: they are not where a source was not read to its end.
  public var isCounted = true
  /// The line of the first record that was refused.
  public var firstReject: Int?
  /// How many records are of kinds that the source does not want, by what they say they are; blank where they do not.
  var otherKinds: [String: Int] = [:]
  /// The names that lead to its records in the entry.
  var recordWay: [String] = []
  /// How many of the refused records a source before it has refused too.
  var refusedBefore = 0
  /// The columns that its records have no place for, by the table that they are of.
  var lacking: [String: Set<String>] = [:]
  /// What is odd but harmless, for the user.
  public var warnings: [String] = []

  /// Records left out by a named rule.
  public var skipped: Int { skippedBy.values.reduce(0, +) }

  /// The place in words: the file, and the entry if there is one.
  public var place: String { entry.map { "\(file), entry \($0)" } ?? file }

  /// Every record read was loaded, refused or left out by name.
  public var addsUp: Bool { read == loaded + rejected + skipped }
}

extension [SourceReport] {
  /// The records of the entries and the refused ones, each once, however many sources take theirs from an entry.
  public var records: (read: Int, rejected: Int) {
    var read: [[String]: Int] = [:]
    for report in self {
      let place = [report.file, report.entry ?? ""] + report.recordWay
      read[place] = Swift.max(read[place] ?? 0, report.read)
    }
    return (read.values.reduce(0, +), reduce(0) { $0 + $1.rejected - $1.refusedBefore })
  }
}

/// The time a stage took.
public struct StageReport: Sendable {
  /// discover, stage, cross-check, check or publish.
  public let stage: String
  /// Wall-clock seconds; nil while it is at work, or where it never ended.
  public let seconds: Double?
  /// The records that went through it, where it has such.
  public let records: Int?

  /// How many records went through it in a second; nil where one of the two is not known.
  public var recordsPerSecond: Int? {
    guard let records, let seconds, seconds > 0 else { return nil }
    return Int((Double(records) / seconds).rounded())
  }
}

/// What a rule over all rows found.
public struct GateReport: Sendable {
  /// The rule's name.
  public let rule: String
  /// What follows from finding something.
  public let severity: Check.Severity
  /// Whether the rule holds; a `skip` rule always passes.
  public let passed: Bool
  /// How many rows speak against it, or were skipped by it.
  public let found: Int
  /// The rule holds or is only for warning, and yet there is something to tell.
  public let isOdd: Bool
  /// What must hold, or what was found, in words; may be empty.
  public let about: String
  /// The first lines of the source that speak against it, where the rule tells them.
  public let lines: [Int]
  /// The file of the query, where the rule is a check.
  public let file: String?
  /// The rule does not hold, and whoever ran it took it on.
  public internal(set) var isAccepted = false

  /// Nothing may be published.
  public var refuses: Bool { !passed && !isAccepted }

  init(
    rule: String, severity: Check.Severity, passed: Bool, found: Int, isOdd: Bool = false, about: String = "",
    lines: [Int] = [], file: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.passed = passed
    self.found = found
    self.isOdd = isOdd
    self.about = about
    self.lines = lines
    self.file = file
  }

  /// What was found, where first, and what should hold.
  public var telling: String {
    let place = lines.isEmpty ? "" : ", first in line \(lines.map(String.init).joined(separator: ", "))"
    let accepted = isAccepted ? ", accepted" : ""
    return "\(rule): \(found) found\(place)\(accepted)" + (about.isEmpty ? "" : ". \(about)")
  }
}

/// What a run did.
public struct RunReport: Sendable {
  /// Its number in the ledger.
  public let run: Int
  /// The pipeline.
  public let pipeline: String
  /// The release; nil where a dataset has none.
  public let release: String?
  /// Counts the contents that were loaded under the release's name, from 1.
  public var revision: Int?
  /// How it ended.
  public var state: RunState
  /// By source.
  public var sources: [SourceReport] = []
  /// What is odd about the bundle as a whole, for the user.
  public internal(set) var warnings: [String] = []
  /// Why records were refused, the commonest reason first.
  public var rejects: [RejectReason] = []
  /// In order. Where the next source loads meanwhile, stages of two runs overlap.
  public var stages: [StageReport] = []
  /// From the first look at the source to the end, wall-clock.
  public var seconds = 0.0
  /// How often something was tried again, as after a lost connection.
  public var retries = 0
  /// In order.
  public var gates: [GateReport] = []
  /// How the bundle's other formats compare, where that was asked for.
  public var crossChecks: [CrossCheck] = []
  /// What was written to tables that are in sight, or of a dry run what would be; in the order of the sources.
  public internal(set) var merges: [MergeReport] = []
  /// Of a dry run what publishing would change; nil where there is nothing to compare with.
  public internal(set) var differences: StagedDiff?
  /// What the release changes against the one before it, where the pipeline asks for it and there is one.
  public internal(set) var change: ReleaseChange?
}
