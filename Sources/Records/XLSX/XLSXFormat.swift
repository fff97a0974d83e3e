/// How the records of a workbook are read.
public struct XLSXFormat: Hashable, Sendable {
  /// Which of its sheets.
  public let sheet: SheetChoice
  /// The most bytes that a record's fields may have together.
  public let recordLimit: Int

  /// A sheet, by default the first that is not hidden, with records of at most 1 MiB.
  public init(sheet: SheetChoice = .first, recordLimit: Int = 1 << 20) {
    self.sheet = sheet
    // Places in a record are kept in 32 bits.
    self.recordLimit = min(max(1, recordLimit), 1 << 30)
  }
}
