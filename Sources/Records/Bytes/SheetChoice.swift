/// Which sheet of a workbook is read.
public enum SheetChoice: Hashable, Sendable {
  /// The first worksheet that is not hidden; if all are, the first.
  case first
  /// The worksheet of that number, from 1, in the workbook's order, hidden ones counted: the order of
  /// ``XLSXReader/sheets(of:)``.
  case numbered(Int)
  /// The worksheet of that name, hidden or not; without case if no name is the same with it.
  case named(String)
}

extension SheetChoice: CustomStringConvertible {
  /// What is looked for, to follow "no".
  public var description: String {
    switch self {
    case .first: "worksheet"
    case .numbered(let number): "worksheet number \(number)"
    case .named(let name): "sheet \"\(name)\""
    }
  }
}
