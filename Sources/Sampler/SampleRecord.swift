/// One record of a sample's file: its fields' bytes one behind the other, and what the record is.
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

  var role = Role.banner
  /// Which of the file's parts a row is of.
  var part = 0
  /// Whether a row goes on with the text of the one before.
  var isContinuation = false
  /// The number of a field that is written as it is, without the quotes it would need.
  var bareField: Int?
  /// The fields' bytes, UTF-8 but where a quirk puts something else.
  private(set) var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// How many fields the record has.
  var count: Int { ends.count }

  /// The bytes of a field, counted from 0.
  subscript(field: Int) -> ArraySlice<UInt8> { bytes[range(field)] }

  /// Whether a record is a row.
  var isRow: Bool { if case .row = role { true } else { false } }

  /// Begins another record in place of this one.
  mutating func begin(_ role: Role, part: Int = 0) {
    self.role = role
    self.part = part
    isContinuation = false
    bareField = nil
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Lets a closure write a field behind the others.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    write(&bytes)
    ends.append(bytes.count)
  }

  /// Adds a field behind the others.
  mutating func append(_ field: some Collection<UInt8>) {
    bytes += field
    ends.append(bytes.count)
  }

  /// Adds fields with nothing in them.
  mutating func appendBlanks(_ count: Int) {
    for _ in 0..<count { ends.append(bytes.count) }
  }

  /// Puts other bytes in the place of a field's.
  mutating func replace(_ field: Int, with other: some Collection<UInt8>) {
    let range = range(field)
    let change = other.count - range.count
    bytes.replaceSubrange(range, with: other)
    for index in field..<ends.count { ends[index] += change }
  }

  /// Takes the last field away.
  mutating func removeLast() {
    guard let last = ends.popLast() else { return }
    bytes.removeLast(last - (ends.last ?? 0))
  }

  /// Lends the fields' bytes, one behind the other, and where each field ends.
  func withFields<Result>(
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Int>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in ends.withUnsafeBufferPointer { ends in body(bytes, ends) } }
  }

  private func range(_ field: Int) -> Range<Int> { (field == 0 ? 0 : ends[field - 1])..<ends[field] }
}
