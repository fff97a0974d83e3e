import Pages
import PipelineCore
import PipelineEngine
import Values

/// What a page says of itself: when it was made, of what and by what.
struct ReportOrigin {
  let project: String
  let database: String
  let zone: String
  let made: String

  /// The day on which it was made, `YYYY-MM-DD`.
  var day: String { String(made.prefix(10)) }

  var facts: [Page.Fact] {
    [
      .init("Made", "\(made), \(zone)"), .init("Project", PageCell(project)),
      .init("From", PageCell(database)), .init("Program", "rivulet \(Rivulet.version)"),
    ]
  }

  var footer: String {
    "Counts, names, and codes of published reference data: no record of a file. Times are those of \(zone)."
  }
}

extension RunState {
  /// How it ended, for readers of a list of runs.
  var tone: Tone {
    switch self {
    case .published, .merged: .good
    case .staged: .warning
    case .refused, .failed, .interrupted: .bad
    case .running, .unchanged, .dryRun: .neutral
    }
  }

  /// The state as a cell.
  var cell: PageCell { PageCell(words, tone: tone) }

  /// The state in words.
  var words: String { self == .dryRun ? "dry run" : rawValue }
}

extension PageCell {
  /// A length of time.
  static func seconds(_ seconds: Double?) -> PageCell { PageCell(seconds?.duration, orderedBy: seconds) }

  /// A number of bytes.
  static func bytes(_ bytes: Int?) -> PageCell {
    PageCell(bytes.map { Double($0).bytes }, orderedBy: bytes.map(Double.init))
  }

  /// A share in percent.
  static func percent(_ share: Double?) -> PageCell {
    PageCell(share.map { ($0 > 0 ? "+" : "") + $0.decimal(1) + " %" }, orderedBy: share)
  }
}

extension ReleaseRow {
  /// Whether its last day in effect is over.
  func isOver(on day: String) -> Bool { effectiveTo.map { $0 < day } ?? false }
}
