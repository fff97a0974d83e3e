/// Why records of one source were refused, and how many.
public struct RejectReason: Sendable {
  /// One of the records.
  public struct Example: Sendable {
    /// The physical line, from 1; of a sheet the row.
    public let line: Int
    /// What stood in the column, escaped and cut off; nil where none is to blame, and always where the layout
    /// has a sensitive column: the fields may have shifted.
    public let value: String?
    /// What is wrong in words, without the value; nil where only the ledger is left to ask.
    public let explanation: String?

    package init(
      line: Int, value: String?, explanation: String?
    ) {
      self.line = line
      self.value = value
      self.explanation = explanation
    }
  }

  /// The number that the source's rows carry.
  package let sourceFileID: Int
  /// The source's name in the pipeline.
  public let source: String
  /// The file on disk.
  public let file: String
  /// The entry in the archive.
  public let entry: String?
  /// The column, where one is to blame.
  public let column: String?
  /// The rule's name, such as `not-a-decimal` or `required`.
  public let rule: String
  /// How many records, exactly.
  public package(set) var records: Int
  /// The first of them, at most ``keptExamples``.
  public package(set) var examples: [Example]

  /// So many examples are kept of a reason.
  package static let keptExamples = 3

  /// The examples for people, each as `file, entry PPRRVU.csv:12, work_rvu: the value is ...: '1.2.3'`.
  public var lines: [String] {
    examples.map { example in
      let place = file + (entry.map { ", entry \($0)" } ?? "") + ":\(example.line)"
      let blame = column.map { ", \($0)" } ?? ""
      return "\(place)\(blame): \(example.explanation ?? rule)"
        + (example.value.map { ": '\($0)'" } ?? "")
    }
  }

  /// The commonest first; of equal ones in the order of the sources.
  package static func ordered(_ reasons: [RejectReason]) -> [RejectReason] {
    reasons.sorted {
      if $0.records != $1.records { return $0.records > $1.records }
      if $0.sourceFileID != $1.sourceFileID { return $0.sourceFileID < $1.sourceFileID }
      return ($0.column ?? "", $0.rule) < ($1.column ?? "", $1.rule)
    }
  }

  package init(
    sourceFileID: Int, source: String, file: String, entry: String?, column: String?, rule: String,
    records: Int, examples: [Example]
  ) {
    self.sourceFileID = sourceFileID
    self.source = source
    self.file = file
    self.entry = entry
    self.column = column
    self.rule = rule
    self.records = records
    self.examples = examples
  }
}
