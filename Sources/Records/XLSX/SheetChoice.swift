/// Which sheet of a workbook is read.
public enum SheetChoice: Hashable, Sendable {
  /// The first worksheet that is not hidden; if all are, the first.
  case first
  /// The worksheet of that name, hidden or not; without case if no name is the same with it.
  case named(String)
}
