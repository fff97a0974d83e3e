import Values

/// Why a record's fields cannot be distinguished with certainty.
public enum Malformation: String, Error, CaseIterable, Sendable {
  /// A quote inside a field that did not begin with one.
  case strayQuote = "stray-quote"
  /// Text between a field's closing quote and the next delimiter.
  case textAfterQuote = "text-after-quote"
  /// A quote that opens a field and is not closed.
  case unclosedQuote = "unclosed-quote"
  /// More bytes than a record may have.
  case tooLong = "record-too-long"
  /// More characters, blanks at the end not counted, than a fixed-width record has.
  case longerThanLayout = "longer-than-layout"
  /// Fewer characters than a fixed-width record has.
  case shorterThanLayout = "shorter-than-layout"
  /// The record comes after the control-Z that ends the data.
  case afterEndMark = "after-end-mark"
  /// A row or a cell of a sheet whose reference is impossible or does not come after the one before.
  case badReference = "bad-cell-reference"
  /// A cell whose value is not what its type says, or a shared string that the workbook does not have.
  case badCell = "bad-cell-value"
  /// What is not written as JSON is.
  case badSyntax = "bad-json"
  /// JSON that ends before it is whole.
  case truncated = "cut-off"
  /// Something that follows the end of a JSON value.
  case trailingText = "trailing-text"
  /// A JSON value that has no properties.
  case notAnObject = "not-an-object"
  /// A text, or a number, where records within the record should be.
  case textForThings = "text-for-records"
  /// Things within each other deeper than anything is that is meant to be read.
  case tooDeep = "nested-too-deep"
  /// A name that is wanted and is there twice in one object.
  case repeatedName = "repeated-name"
  /// Half of a pair of UTF-16 in an escape.
  case loneSurrogate = "lone-surrogate"
  /// Bytes that are no UTF-8.
  case badUTF8 = "bad-utf-8"

  /// What a fault of JSON's bytes makes of a record.
  init(_ fault: JSONFault) {
    self =
      switch fault {
      case .truncated: .truncated
      case .badSyntax: .badSyntax
      case .loneSurrogate: .loneSurrogate
      }
  }

  /// The malformation's name in reports and in the quarantine, such as `stray-quote`.
  public var name: String { rawValue }
}

extension Malformation: CustomStringConvertible {
  /// What is wrong and how to fix it, to follow "the record".
  public var description: String {
    switch self {
    case .strayQuote: "has a quote inside an unquoted field: quote the field and double the quotes in it"
    case .textAfterQuote: "has text after a closing quote: double the quotes inside quoted fields"
    case .unclosedQuote: "has a quoted field that is not closed"
    case .tooLong: "is longer than a record may be: look for missing line ends or a missing quote"
    case .longerThanLayout: "has text beyond the layout's record length: look for a missing line end"
    case .shorterThanLayout: "is shorter than the layout's record length: the file may be cut off"
    case .afterEndMark:
      "comes after the control-Z that ends the data: remove the control-Z or what follows it"
    case .badReference:
      "has a row or cell reference that is impossible or out of order: save the workbook again"
    case .badSyntax: "is not well-formed JSON"
    case .truncated: "ends before it is whole: the file may be cut off"
    case .trailingText:
      "has text after its end: a .json file holds one document, a .ndjson file one on each line"
    case .notAnObject: "is JSON but no object with properties"
    case .textForThings:
      "has a text where a list of records within it should be, and it is no JSON of such: write the list as JSON"
    case .tooDeep: "has things within each other deeper than can be meant"
    case .repeatedName: "has a property twice, so that it is open which of them is meant"
    case .loneSurrogate: "has half a character: a \\u escape of a surrogate without its other half"
    case .badUTF8: "has bytes that are not UTF-8, which this format is always in"
    case .badCell: "has a cell whose value is not of the cell's type: save the workbook again"
    }
  }
}
