import Definitions
import Records
import Values

/// A pipeline drafted from a sample: what its columns are by the look of their values, and the files that say
/// so.
///
/// ```swift
/// let draft = try PipelineDraft(from: "mercy-on-call-2025-11-20.csv")
/// for file in draft.files { write(file.text, to: file.path) }    // Pipelines/mercy-on-call/pipeline.yaml ...
/// ```
///
/// It is a beginning to be read and corrected: all that is known are the values of one file. Unchanged it
/// loads that file, whole, unless records of it have other fields than the header.
public struct PipelineDraft: Sendable {
  /// The pipeline's name.
  public let name: String
  /// The columns, in the order of the file.
  public let columns: [DraftColumn]
  /// The columns that tell records apart.
  public let key: [String]
  /// How many records were looked at, and whether these are all of the file.
  public let (records, isWhole): (Int, Bool)
  /// The name of the text's encoding; nil of a workbook.
  public let encoding: String?
  /// The byte between fields; nil where there is none.
  public let delimiter: UInt8?
  /// The format of the sample, as pipelines call it.
  public let format: String
  /// What the user should know: what is left out, and what is not certain.
  public let notes: [String]
  /// The lines of the records that the draft's pipeline refuses of the sample.
  public let misfits: [Int]
  /// Whether the sample's name says the release that it is.
  public let isDated: Bool

  let way: [String]
  let footnotes: Int
  let sampleName: String
  /// The texts of the sample that say by their form that nothing is there.
  let marks: [String]

  /// A draft from a file, or the only entry of an archive.
  /// - Parameters:
  ///   - path: the sample.
  ///   - name: the pipeline's name; if nil it is made of the file's.
  ///   - sheet: the sheet of a workbook; if nil the first that has a header.
  /// - Throws: ``DraftError``, and `RecordsError` where the file cannot be read.
  public init(from path: String, name: String? = nil, sheet: String? = nil) throws {
    if let name, !ColumnName.isPipelineName(name) { throw DraftError.unusableName(name) }
    let sample = try SampleFile(path, sheet: sheet)
    guard let name = name ?? ColumnName.pipelineName(ofFile: sample.entry.name) else {
      throw DraftError.unusableName(sample.entry.name)
    }
    self.name = name
    let names = ColumnName.names(of: sample.columns.map(\.place.text))
    var columns: [DraftColumn] = []
    for (column, name) in zip(sample.columns, names) {
      columns += DraftColumn.columns(name, column.place, column.seen)
    }
    let seen = Dictionary(zip(names, sample.columns.map(\.seen))) { first, _ in first }
    if let found = Self.key(columns, seen) {
      (key, self.columns) = ([found], columns)
    } else {
      let number = DraftColumn("record", .recordNumber, .integer, isRequired: true)
      (key, self.columns) = (["record"], [number] + columns.filter { $0.name != "record" })
    }
    (records, isWhole) = (sample.records, sample.isWhole)
    (encoding, delimiter, format) = (sample.encoding, sample.delimiter, sample.kind.rawValue)
    (way, footnotes, misfits) = (sample.way, sample.footnotes, sample.misfits)
    sampleName = sample.entry.name
    marks = sample.marks
    isDated = Self.isDated(sample.entry.name)
    var notes = sample.allNotes
    if key == ["record"] {
      notes.append("no column distinguishes all records: their number in the file does")
    }
    self.notes = notes
  }

  /// The column that looks most like a key: never blank, each value once, and called so, or else the first.
  private static func key(_ columns: [DraftColumn], _ seen: [String: ColumnProfile]) -> String? {
    let candidates = columns.filter { column in
      guard let profile = seen[column.name], profile.isUnique, column.isRequired, !column.isShared else {
        return false
      }
      switch column.type {
      case .npi, .text, .integer: return true
      default: return false
      }
    }
    let hinted = candidates.first { $0.type == .npi || ColumnHint($0.name).isIdentifier }
    return (hinted ?? candidates.first)?.name
  }

  /// Whether a name has a day in it, as `2025-11-20` or `20251120`.
  static func isDated(_ name: String) -> Bool {
    let pattern: [Character] = Array("dddd-dd-dd")
    let letters = Array(name)
    func fits(_ start: Int, _ pattern: [Character]) -> Bool {
      guard start + pattern.count <= letters.count else { return false }
      return pattern.indices.allSatisfy {
        pattern[$0] == "d"
          ? letters[start + $0].isASCII && letters[start + $0].isNumber : letters[start + $0] == "-"
      }
    }
    return letters.indices.contains { fits($0, pattern) || fits($0, Array("dddddddd")) }
  }
}

extension SampleFile {
  /// The texts that say by their form that nothing is there.
  var marks: [String] { Set(columns.flatMap(\.seen.marks)).sorted() }

  /// What is left out of a draft and why, and how much was looked at.
  var allNotes: [String] {
    var notes = notes
    if let sheet, !otherSheets.isEmpty {
      notes.append(
        "drafted from the sheet '\(sheet)'; there are rows in \(otherSheets.map { "'\($0)'" }.joined(separator: ", "))"
          + ", too: --sheet '\(otherSheets[0])' drafts from another")
    }
    if !isWhole { notes.append("only the first \(records) records were looked at") }
    if footnotes > 0 {
      notes.append(
        "\(footnotes) records at the end have text in their first field alone: they are taken for footnotes")
    }
    if lackingTrailing > 0 {
      notes.append(
        "\(lackingTrailing) records have a field less than the header: the last is taken for blank")
    }
    if !misfits.isEmpty {
      notes.append(
        "records with another number of fields than the header, which are refused: \(misfits.lines)")
    }
    return notes
  }
}

extension [Int] {
  /// The first of some lines, and how many there are.
  var lines: String {
    let first = "line " + prefix(5).map(String.init).joined(separator: ", ")
    return count > 5 ? "\(count), the first at \(first)" : "\(count), at \(first)"
  }
}

extension DraftColumn.Place {
  /// What the file calls it.
  var text: String {
    switch self {
    case .header(let text): text
    case .path(let path, _): path
    case .recordNumber: ""
    }
  }
}
