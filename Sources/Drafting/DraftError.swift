/// Why nothing can be drafted from a sample, and how that is fixed.
///
/// No case holds a value of the sample.
public enum DraftError: Error, Equatable, Sendable {
  /// The path leads to several files.
  case severalFiles(path: String, names: [String])
  /// The name's extension is of no format that a draft is made from.
  case unknownFormat(file: String)
  /// Nothing is in the file.
  case empty(file: String)
  /// The file holds bytes that no text has.
  case binary(file: String)
  /// No record of the first ones names the columns.
  case noHeader(file: String)
  /// The header names several columns alike.
  case repeatedHeaders(file: String, names: [String])
  /// There is a header, and no record below it.
  case noRecords(file: String)
  /// A sheet is named, and the file is no workbook.
  case noSheets(file: String, sheet: String)
  /// No column of the sample is one of the pipeline's, or none that distinguishes its records.
  case nothingMapped(file: String, pipeline: String, needed: [String])
  /// The pipeline stores names, and no column of the sample was found to be one.
  case nameless(file: String, pipeline: String, columns: [String])
  /// The user says what a column means that the sample has not.
  case unknownColumn(file: String, name: String, columns: [String])
  /// The pipeline has no source that takes files with a header.
  case takesNoLayout(pipeline: String)
  /// There is such a layout already.
  case layoutTaken(String)
  /// More columns than a table may have.
  case tooManyColumns(file: String, count: Int, limit: Int)
  /// A record whose fields cannot be distinguished.
  case malformed(file: String, line: Int, reason: String)
  /// The name is no pipeline's, or the file's name gives none.
  case unusableName(String)
  /// There is such a pipeline already.
  case nameTaken(String)

  /// What is wrong.
  public var description: String {
    switch self {
    case .severalFiles(let path, let names):
      "\(path) holds \(names.count) files: \(names.prefix(3).joined(separator: ", "))"
        + (names.count > 3 ? " and others" : "")
    case .unknownFormat(let file):
      "\(file) is neither .csv, .xlsx, .json, .ndjson, .jsonl nor .xml by its name"
    case .empty(let file): "\(file) is empty"
    case .binary(let file): "\(file) holds NUL bytes, which no text has"
    case .noHeader(let file): "\(file) has no header: no record of the first ones names the columns"
    case .repeatedHeaders(let file, let names):
      "\(file) has a header that names several columns alike: "
        + names.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    case .noRecords(let file): "\(file) has a header and no record below it"
    case .noSheets(let file, let sheet): "\(file) is no workbook, and has no sheet '\(sheet)'"
    case .nothingMapped(let file, let pipeline, let needed):
      "no column of \(file) could be found for what '\(pipeline)' stores"
        + (needed.isEmpty ? "" : ": it needs " + needed.joined(separator: ", "))
    case .nameless(let file, let pipeline, let columns):
      "no column of \(file) has the names of those whom it is about, without which '\(pipeline)' says nothing of them: it "
        + "has " + Self.list(columns)
    case .unknownColumn(let file, let name, let columns):
      "\(file) has no column '\(name)': it has " + Self.list(columns)
    case .takesNoLayout(let pipeline): "no source of '\(pipeline)' takes such a file"
    case .layoutTaken(let path): "there is a layout \(path) already"
    case .tooManyColumns(let file, let count, let limit):
      "\(file) has \(count) columns; a table of PostgreSQL has at most \(limit) beside its own"
    case .malformed(let file, let line, let reason): "\(file), record at line \(line): it \(reason)"
    case .unusableName(let name): "'\(name)' gives no name for a pipeline"
    case .nameTaken(let name): "there is a pipeline '\(name)' already"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
      + (names.count > 12 ? " and \(names.count - 12) more" : "")
  }

  /// How it is fixed.
  public var hint: String {
    switch self {
    case .severalFiles: "name one file: a draft is made from one table"
    case .unknownFormat: "rename the file: a list with tabs or semicolons is a .csv too"
    case .empty, .noRecords: "give a sample with a header and some records"
    case .binary: "save it as CSV in UTF-8, or as XLSX"
    case .noHeader: "write a line with the names of the columns above the records"
    case .repeatedHeaders: "columns are found by what the header calls them: give each a name of its own"
    case .noSheets: "leave --sheet out"
    case .nothingMapped:
      "write the layout by hand, see Documentation/ProviderLists.md, or draft a pipeline of its own without --into"
    case .nameless:
      "say which column it is: --column 'HEADER=provider name', or =last name, =organization name; where the file has "
        + "none, draft a pipeline of its own: leave --into out"
    case .unknownColumn: "write it as the header does, before an equals sign: --column 'Nm=last name'"
    case .takesNoLayout: "draft a pipeline of its own: leave --into out"
    case .layoutTaken: "give the new one another name with --name"
    case .tooManyColumns:
      "take a sample of the columns that are wanted; what repeats belongs into child tables, see "
        + "Documentation/Pipelines.md"
    case .malformed: "correct the record, or leave it out of the sample"
    case .unusableName: "name the pipeline: --name mercy-on-call, in lower-case letters, digits and dashes"
    case .nameTaken: "give the new one another name with --name"
    }
  }
}

extension DraftError: CustomStringConvertible {}
