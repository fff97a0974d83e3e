import Records

/// Bytes in pieces of changing sizes, as pipes and archives give them.
final class Pieces: ByteStream {
  private let bytes: [UInt8]
  private let most: Int
  private var position = 0

  /// `most`: the most bytes of a piece.
  init(_ bytes: [UInt8], most: Int) { (self.bytes, self.most) = (bytes, most) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = min(buffer.count, bytes.count - position, 1 + position % most)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

/// What came of a reading, record by record.
struct Transcript: Equatable {
  private struct Entry: Equatable {
    let place: RecordPlace
    let malformation: Malformation?
    let raw: [UInt8]
    let undecodable: Int?
    let says: [Bool]
    let rows: [Int]
    var fields: [[UInt8]] = []
  }

  private var entries: [Entry] = []
  private let byteCount: Int
  private let sha256: String
  private let encoding: String

  /// Reads to the end, and looks at all that there is of each record.
  init(_ reader: inout RecordReader, groups: Int = 0) throws {
    while try reader.next() {
      let (isGood, says) = (
        reader.malformation == nil, [reader.isBlank, reader.isUnended, reader.lacksTrailing]
      )
      var entry = Entry(
        place: reader.place, malformation: reader.malformation, raw: reader.raw,
        undecodable: isGood ? reader.undecodable : nil, says: says,
        rows: isGood ? (0..<groups).map { reader.rowCount($0) } : [])
      if isGood {
        reader.countUnread()
        reader.withRecord { bytes, fields in
          entry.fields = fields.indices.map { index in
            bytes.extracting(fields[index].range).withUnsafeBufferPointer { Array($0) }
          }
        }
      }
      entries.append(entry)
    }
    (byteCount, sha256, encoding) = (reader.byteCount, reader.sha256, "\(reader.encoding)")
  }

  /// Ends the process unless another reading of the same bytes gave the same.
  func expect(_ other: Transcript) {
    guard self != other else { return }
    for (one, other) in zip(entries, other.entries) where one != other {
      Fault.end("not read alike:\n\(one)\n\(other)")
    }
    Fault.end(
      "not read alike: \(entries.count) and \(other.entries.count) records,"
        + " \(byteCount) and \(other.byteCount) bytes, \(encoding) and \(other.encoding)")
  }
}
