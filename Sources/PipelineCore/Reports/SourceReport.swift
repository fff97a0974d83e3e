package import Definitions

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
  /// What it was read as; nil where that is not known yet.
  package var format: Source.Format?
  /// What was between the fields of a csv.
  package var delimiter: UInt8?
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
  /// How many values got their leading zeros back, by column.
  public var restoredZeros: [String: Int] = [:]
  /// How many values are not of their type and were loaded as they are, by column.
  public var oddValues: [String: Int] = [:]
  /// The codes that a workbook holds as numbers, where that was asked for.
  package var numbers: [CrossCheck.Numbers] = []
  /// Whether the numbers are known: they are not where a source was not read to its end.
  public var isCounted = true
  /// The line of the first record that was refused.
  public var firstReject: Int?
  /// How many records are of kinds that the source does not want, by what they say they are; blank where they
  /// do not.
  package var otherKinds: [String: Int] = [:]
  /// The names that lead to its records in the entry.
  package var recordWay: [String] = []
  /// How many of the refused records a source before it has refused too.
  package var refusedBefore = 0
  /// The columns that its records have no place for, by the table that they are of.
  package var lacking: [String: Set<String>] = [:]
  /// What is odd but harmless, for the user.
  public var warnings: [String] = []

  /// The report of an entry, of which nothing is known yet.
  package init(sourceFileID: Int, source: String, file: String, entry: String?) {
    (self.sourceFileID, self.source, self.file, self.entry) = (sourceFileID, source, file, entry)
  }

  /// The same content as it was found in another place, under a number of its own.
  package func found(in file: String, _ entry: String?, as sourceFileID: Int) -> SourceReport {
    var report = self
    (report.sourceFileID, report.file, report.entry) = (sourceFileID, file, entry)
    return report
  }

  /// Records left out by a named rule.
  public var skipped: Int { skippedBy.values.reduce(0, +) }

  /// The place in words: the file, and the entry if there is one.
  public var place: String { entry.map { "\(file), entry \($0)" } ?? file }

  /// Every record read was loaded, refused or left out by name.
  public var addsUp: Bool { read == loaded + rejected + skipped }
}

extension [SourceReport] {
  /// The records of the entries and the refused ones, each once, however many sources take theirs from an
  /// entry.
  public var records: (read: Int, rejected: Int) {
    var read: [[String]: Int] = [:]
    for report in self {
      let place = [report.file, report.entry ?? ""] + report.recordWay
      read[place] = Swift.max(read[place] ?? 0, report.read)
    }
    return (read.values.reduce(0, +), reduce(0) { $0 + $1.rejected - $1.refusedBefore })
  }
}
