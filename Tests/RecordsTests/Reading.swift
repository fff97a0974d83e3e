import Records
import TestSupport

/// A record as a test sees it.
struct ReadRecord: Equatable, CustomStringConvertible {
  var fields: [String]
  var raw: String
  var line: Int
  var byteOffset: Int
  var malformation: Malformation?
  var isBlank: Bool

  var description: String {
    "\(fields) at \(line)/\(byteOffset)\(malformation.map { " " + $0.name } ?? "")\(isBlank ? " blank" : "")"
      + " raw \(raw.debugDescription)"
  }
}

/// The records that a reader has not given yet.
func records<Source: RecordSource & ~Copyable>(_ reader: inout Source) throws -> [ReadRecord] {
  var records: [ReadRecord] = []
  while try reader.next() {
    records.append(
      ReadRecord(
        fields: reader.texts, raw: String(decoding: reader.raw, as: UTF8.self), line: reader.place.line,
        byteOffset: reader.place.byteOffset, malformation: reader.malformation, isBlank: reader.isBlank))
  }
  return records
}

/// All records of some bytes, fed in pieces of at most `chunk` bytes into a buffer of `bufferSize`.
func read(
  _ bytes: [UInt8], chunk: Int = .max, bufferSize: Int = 256 << 10,
  format: DelimitedFormat = DelimitedFormat()
) throws -> [ReadRecord] {
  var reader = DelimitedReader(MemoryStream(bytes, chunk: chunk), format: format, bufferSize: bufferSize)
  return try records(&reader)
}

func read(_ text: String) throws -> [ReadRecord] {
  try read(Array(text.utf8))
}
