/// A row of a sheet as it was read, before its texts are looked up.
struct SheetRow {
  /// From 1.
  var number: Int
  /// Bytes of the sheet's XML before the row.
  var offset: Int
  /// Where the row's own texts and its cells begin among all that have been read.
  var firstByte: Int
  var firstCell: Int
  var cellCount = 0
  var byteCount = 0
  var malformation: Malformation?
}

/// A cell that holds something.
struct SheetCell {
  /// From 0.
  let column: Int
  /// The number of the shared string that is the cell's text; -1 if the text is the row's own.
  let shared: Int
  /// The cell's text among the row's own.
  let text: FieldRange
  /// The cell is a number that is not shown as a date or a time.
  let isNumber: Bool
}
