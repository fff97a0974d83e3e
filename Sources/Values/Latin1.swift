/// ISO 8859-1, whose bytes are the characters of their numbers.
enum Latin1 {
  /// Writes the bytes as UTF-8 into `output`, replacing its content.
  static func transcode(_ bytes: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]) {
    output.removeAll(keepingCapacity: true)
    for index in range {
      let byte = bytes[index]
      if byte < 0x80 {
        output.append(byte)
      } else {
        Windows1252.append(UInt16(byte), to: &output)
      }
    }
  }
}
