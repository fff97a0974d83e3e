/// The binary form of COPY: a header, rows of counted fields in network byte order, a trailer.
///
/// Source: PostgreSQL's documentation of COPY, "Binary Format".
extension CopyBuffer {
  /// The header, before the first row.
  public mutating func binaryHeader() throws {
    let signature: [UInt8] = [
      0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    try raw(signature.span)
  }

  /// The start of a row: how many fields follow.
  public mutating func binaryRow(fields: Int16) throws { try bigEndian(fields) }

  /// A field by its type's binary form; nil is NULL.
  public mutating func binaryField(_ bytes: [UInt8]?) throws {
    guard let bytes else { return try bigEndian(Int32(-1)) }
    try bigEndian(Int32(bytes.count))
    try raw(bytes.span)
  }

  /// A field of type `integer`.
  public mutating func binaryField(_ number: Int32) throws {
    try bigEndian(Int32(4))
    try bigEndian(number)
  }

  /// A field of type `bigint`.
  public mutating func binaryField(_ number: Int64) throws {
    try bigEndian(Int32(8))
    try bigEndian(number)
  }

  /// The trailer, after the last row.
  public mutating func binaryTrailer() throws { try bigEndian(Int16(-1)) }

  private mutating func bigEndian<Number: FixedWidthInteger>(_ number: Number) throws {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    try raw(bytes.span)
  }
}
