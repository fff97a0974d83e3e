/// How the records of a file are distinguished, and their fields.
public enum RecordFormat: Sendable {
  /// Fields between delimiters.
  case delimited(DelimitedFormat)
  /// Fields at fixed places.
  case fixedWidth(FixedWidthFormat)
  /// Cells of a sheet.
  case xlsx(XLSXFormat)
  /// Properties of things within each other: JSON and XML.
  case tree(TreeFormat)
}
