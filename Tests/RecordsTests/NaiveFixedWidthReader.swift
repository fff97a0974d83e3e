import Records
import Values

/// The rules of `FixedWidthReader` written down once more, slowly, on the whole input: what the fast one is
/// held against.
///
/// It knows no limit for a line.
struct NaiveFixedWidthReader {
  let bytes: [UInt8]
  let format: FixedWidthFormat
  let encoding: TextEncoding

  private func isBlank(_ byte: UInt8) -> Bool { [9, 10, 11, 12, 13, 32].contains(byte) }

  func records() -> [ReadRecord] {
    var records: [ReadRecord] = []
    var isOver = false
    var lengths: Set<Bool> = []
    for (number, found) in lines().enumerated() {
      var line = found.bytes
      if !found.isEnded, line.contains(where: { $0 != 26 }) {
        while line.last == 26 { line.removeLast() }
      }
      let text = line.filter { !isBlank($0) }
      let isFull = line.count >= format.length.upperBound
      if found.isEnded, !text.isEmpty, record(line, false).malformation == nil { lengths.insert(isFull) }
      if !text.isEmpty, text.allSatisfy({ $0 == 26 }) {
        isOver = true
        continue
      }
      var record = record(line, text.isEmpty)
      (record.line, record.byteOffset) = (number + 1, found.offset)
      // All other lines have all their blanks.
      if !found.isEnded, line == found.bytes, !isFull, lengths == [true], !text.isEmpty,
        record.malformation == nil
      {
        record.malformation = .shorterThanLayout
      }
      if isOver {
        if record.isBlank { continue }
        record.malformation = .afterEndMark
      }
      records.append(record)
    }
    return records
  }

  private func record(_ line: [UInt8], _ isBlank: Bool) -> ReadRecord {
    let characters = characters(line)
    let fields = format.fields.map { field in
      String(
        decoding: field.flatMap { $0 <= characters.count ? characters[$0 - 1] : [] }, as: UTF8.self)
    }
    let text = characters.lastIndex { !self.isBlank($0[0]) }.map { $0 + 1 } ?? 0
    let malformation: Malformation? =
      if text > format.length.upperBound {
        .longerThanLayout
      } else if characters.count < format.length.lowerBound, !isBlank {
        .shorterThanLayout
      } else {
        nil
      }
    return ReadRecord(
      fields: fields, raw: String(decoding: line, as: UTF8.self), line: 0, byteOffset: 0,
      malformation: malformation, isBlank: isBlank && malformation == nil)
  }

  /// The bytes of each character; 0xE1 begins the only sequences that there are in UTF-8, of three bytes.
  private func characters(_ line: [UInt8]) -> [[UInt8]] {
    var characters: [[UInt8]] = []
    for byte in line {
      if encoding == .utf8, byte & 0xC0 == 0x80, let last = characters.last, last[0] == 0xE1, last.count < 3 {
        characters[characters.count - 1].append(byte)
      } else {
        characters.append([byte])
      }
    }
    return characters
  }

  /// Each line with the place of its first byte, and whether a line end follows it.
  private func lines() -> [(offset: Int, bytes: [UInt8], isEnded: Bool)] {
    var lines: [(offset: Int, bytes: [UInt8], isEnded: Bool)] = []
    var start = 0
    var place = 0
    while place < bytes.count {
      if bytes[place] == 10 || bytes[place] == 13 {
        lines.append((start, Array(bytes[start..<place]), true))
        if bytes[place] == 13, place + 1 < bytes.count, bytes[place + 1] == 10 { place += 1 }
        start = place + 1
      }
      place += 1
    }
    if start < bytes.count { lines.append((start, Array(bytes[start...]), false)) }
    return lines
  }
}
