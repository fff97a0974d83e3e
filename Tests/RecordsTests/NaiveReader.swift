import Records

/// The rules of `DelimitedReader` written down once more, slowly, on the whole input: what the fast one is
/// held against.
///
/// It knows no limit for a record.
struct NaiveReader {
  let bytes: [UInt8]

  private func isLineEnd(_ place: Int) -> Bool { bytes[place] == 10 || bytes[place] == 13 }

  private func firstLineEnd(_ range: Range<Int>) -> Int? { range.first { isLineEnd($0) } }

  /// The first delimiter or line end, or the end of the input.
  private func fieldEnd(from place: Int) -> Int {
    (place..<bytes.count).first { bytes[$0] == 44 || isLineEnd($0) } ?? bytes.count
  }

  /// The quote that is not doubled, if there is one.
  private func closingQuote(from place: Int) -> Int? {
    var place = place
    while place < bytes.count {
      if bytes[place] == 34 {
        guard place + 1 < bytes.count, bytes[place + 1] == 34 else { return place }
        place += 1
      }
      place += 1
    }
    return nil
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func line(at place: Int) -> Int {
    1
      + (0..<place).filter { bytes[$0] == 10 || bytes[$0] == 13 && !($0 + 1 < place && bytes[$0 + 1] == 10) }
      .count
  }

  func records() -> [ReadRecord] {
    var records: [ReadRecord] = []
    var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var isOver = false
    while place < bytes.count {
      var (record, end) = self.record(at: place)
      let pure = record.raw.utf8.filter { $0 != 32 && $0 != 44 }
      place = end
      if place < bytes.count { place += bytes[place] == 13 && bytes[(place + 1)...].first == 10 ? 2 : 1 }
      if !pure.isEmpty, pure.allSatisfy({ $0 == 26 }) {
        isOver = true
      } else if !isOver {
        records.append(record)
      } else if !record.isBlank {
        record.malformation = .afterEndMark
        records.append(record)
      }
    }
    return records
  }

  private func record(at start: Int) -> (ReadRecord, end: Int) {
    var fields: [String] = []
    var malformation: Malformation?
    var place = start
    while true {
      var end: Int
      if place < bytes.count, bytes[place] == 34 {
        let closing = closingQuote(from: place + 1)
        let reach = place..<(closing ?? bytes.count)
        if let closing, closing + 1 == bytes.count || fieldEnd(from: closing + 1) == closing + 1 {
          fields.append(
            text((place + 1)..<closing).split(separator: "\"\"", omittingEmptySubsequences: false).joined(
              separator: "\""))
          end = closing + 1
        } else if closing == nil || firstLineEnd(reach) != nil {
          end = firstLineEnd(reach) ?? bytes.count
          fields.append(text(place..<end))
          malformation = .unclosedQuote
          return (made(fields, start..<end, malformation), end)
        } else {
          malformation = malformation ?? .textAfterQuote
          end = fieldEnd(from: reach.upperBound + 1)
          fields.append(text(place..<end))
        }
      } else {
        end = fieldEnd(from: place)
        if bytes[place..<end].contains(34) { malformation = malformation ?? .strayQuote }
        fields.append(text(place..<end))
      }
      guard end < bytes.count, bytes[end] == 44 else { return (made(fields, start..<end, malformation), end) }
      place = end + 1
    }
  }

  private func made(_ fields: [String], _ range: Range<Int>, _ malformation: Malformation?) -> ReadRecord {
    let isBlank = fields.allSatisfy { $0.utf8.allSatisfy { $0 == 32 || (9...13).contains($0) } }
    return ReadRecord(
      fields: fields, raw: text(range), line: line(at: range.lowerBound), byteOffset: range.lowerBound,
      malformation: malformation, isBlank: malformation == nil && isBlank)
  }
}
