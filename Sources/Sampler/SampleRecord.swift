/// One record of a sample's file.
struct SampleRecord {
  /// What a record is in its file.
  enum Role: Equatable {
    /// A line above the header.
    case banner
    /// A line of the header.
    case header
    /// A row of the table, counted from 0.
    case row(Int)
    /// Between two blocks of rows.
    case blank
    /// A line below the rows.
    case footer
  }

  var role: Role
  /// Which of the file's parts a row is of.
  var part = 0
  /// The fields' bytes, UTF-8 but where a quirk puts something else.
  var fields: [[UInt8]]
  /// Whether a row goes on with the text of the one before.
  var isContinuation = false
  /// The number of a field that is written as it is, without the quotes it would need.
  var bareField: Int?

  /// Whether a record is a row.
  var isRow: Bool { if case .row = role { true } else { false } }
}
