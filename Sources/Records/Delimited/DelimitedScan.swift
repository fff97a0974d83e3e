/// One pass of the byte machine over one record: bytes in, places of fields out.
///
/// It keeps nothing between records.
struct DelimitedScan {
  /// How a pass ended.
  enum Outcome {
    /// At the end of the record.
    case record
    /// At the end of the bytes, with more to come.
    case incomplete
    /// At a field for which there was no place.
    case fieldsFull
  }

  /// How the pass ended; the rest is only meaningful for `record`, except `firstBreak`.
  var outcome = Outcome.incomplete
  /// The end of the content, before the line end.
  var contentEnd = 0
  /// The start of what follows the line end.
  var next = 0
  var fieldCount = 0
  /// The line ends inside quoted fields.
  var innerBreaks = 0
  var hasDoubledQuotes = false
  var malformation: Malformation?
  /// The first line end inside the quoted field in which the bytes ended; -1 if there is none.
  var firstBreak = -1

  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D

  /// Reads the record that begins with the first byte.
  ///
  /// - `bytes`: the record, as far as it is there, and what follows it.
  /// - `isLast`: nothing comes after `bytes`.
  /// - `fields`: where the fields' places go.
  init(
    _ bytes: Span<UInt8>, isLast: Bool, format: DelimitedFormat, fields: inout MutableSpan<FieldRange>
  ) {
    let (delimiter, quote) = (format.delimiter, format.quote)
    let emptyQuoted = EmptyFields(format)
    var candidates = CandidateBytes(bytes, from: 0, format: format)
    var start = 0
    while let index = candidates.next(bytes) {
      let byte = bytes[index]
      if byte == delimiter {
        guard keep(FieldRange(start, index), in: &fields) else { return }
        start = index &+ 1
      } else if Self.isLineEnd(byte) {
        guard keep(FieldRange(start, index), in: &fields) else { return }
        finish(at: index, bytes, isLast: isLast)
        return
      } else if byte == quote {
        guard index == start else {
          malformation = malformation ?? .strayQuote
          continue
        }
        guard let end = keepEmpty(bytes, from: index, emptyQuoted, in: &fields) else { return }
        if end > index {
          start = end
          candidates.seek(end, bytes)
          continue
        }
        switch quoted(bytes, &candidates, from: index, isLast: isLast, format: format) {
        case .incomplete: return
        case .cut(let end):
          // The lines after it may be good records, so the damage ends with this line.
          malformation = .unclosedQuote
          guard keep(FieldRange(start, end), in: &fields) else { return }
          finish(at: end, bytes, isLast: true)
          return
        case .closed(let end):
          guard keep(FieldRange(start &+ 1, end), in: &fields) else { return }
          let after = end &+ 1
          guard after < bytes.count, bytes[after] == delimiter else {
            finish(at: after, bytes, isLast: isLast)
            return
          }
          // The delimiter is a candidate too, and done with.
          _ = candidates.next(bytes)
          start = after &+ 1
        case .textAfter:
          // Taken literally as far as the next delimiter.
          malformation = malformation ?? .textAfterQuote
        }
      }
    }
    guard isLast, keep(FieldRange(start, bytes.count), in: &fields) else { return }
    finish(at: bytes.count, bytes, isLast: isLast)
  }

  /// Adds a field; false if there is no place for it.
  @inline(__always)
  private mutating func keep(_ field: FieldRange, in fields: inout MutableSpan<FieldRange>) -> Bool {
    guard fieldCount < fields.count else {
      outcome = .fieldsFull
      return false
    }
    fields[fieldCount] = field
    fieldCount &+= 1
    return true
  }

  /// Adds the fields that are two quotes and a delimiter, of which some files are full, as many as come one
  /// after the other; gives where they end, or nil if there is no place for them.
  @inline(__always)
  private mutating func keepEmpty(
    _ bytes: Span<UInt8>, from start: Int, _ pattern: EmptyFields, in fields: inout MutableSpan<FieldRange>
  ) -> Int? {
    var place = start
    while bytes.count &- place >= 24, fields.count &- fieldCount >= 8, pattern.areEight(bytes, at: place) {
      for index in 0..<8 {
        let empty = place &+ 3 &* index &+ 1
        fields[fieldCount &+ index] = FieldRange(empty, empty)
      }
      fieldCount &+= 8
      place &+= 24
    }
    while bytes.count &- place >= 4, pattern.isOne(bytes, at: place) {
      guard keep(FieldRange(place &+ 1, place &+ 1), in: &fields) else { return nil }
      place &+= 3
    }
    return place
  }

  /// What fields look like that are two quotes and a delimiter.
  private struct EmptyFields {
    private let one: UInt32
    private let eight: (UInt64, UInt64, UInt64)

    @inline(__always)
    init(_ format: DelimitedFormat) {
      let quotes = UInt64(format.quote) &* 0x0101_0101_0101_0101
      // Every third byte is the delimiter, first the third.
      let other = UInt64(format.quote ^ format.delimiter)
      eight = (
        quotes ^ (other << 16 | other << 40), quotes ^ (other | other << 24 | other << 48),
        quotes ^ (other << 8 | other << 32 | other << 56)
      )
      one = UInt32(truncatingIfNeeded: eight.0) & 0xFF_FFFF
    }

    /// Whether one begins at a place that four bytes are left at.
    @inline(__always)
    func isOne(_ bytes: Span<UInt8>, at place: Int) -> Bool {
      UInt32(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self))
        & 0xFF_FFFF
        == one
    }

    /// Whether eight begin at a place that 24 bytes are left at.
    @inline(__always)
    func areEight(_ bytes: Span<UInt8>, at place: Int) -> Bool {
      func word(_ offset: Int) -> UInt64 {
        UInt64(
          littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place &+ offset, as: UInt64.self))
      }
      return (word(0) ^ eight.0) | (word(8) ^ eight.1) | (word(16) ^ eight.2) == 0
    }
  }

  /// How a quoted field ended.
  private enum QuotedEnd {
    /// Its closing quote is here, and a delimiter or an end follows.
    case closed(Int)
    /// Its closing quote is here, and text follows.
    case textAfter
    /// It was never closed: its line ends here.
    case cut(Int)
    case incomplete
  }

  /// Reads the quoted field whose opening quote at `open` is the last candidate given.
  @inline(__always)
  private mutating func quoted(
    _ bytes: Span<UInt8>, _ candidates: inout CandidateBytes, from open: Int, isLast: Bool,
    format: DelimitedFormat
  ) -> QuotedEnd {
    let quote = format.quote
    var breaks = 0
    var isDoubled = false
    firstBreak = -1
    while let index = candidates.next(bytes) {
      let byte = bytes[index]
      if byte == quote {
        let after = index &+ 1
        guard after < bytes.count else {
          guard isLast else { return .incomplete }
          close(breaks, isDoubled)
          return .closed(index)
        }
        if bytes[after] == format.delimiter || Self.isLineEnd(bytes[after]) {
          close(breaks, isDoubled)
          return .closed(index)
        } else if bytes[after] == quote {
          isDoubled = true
          _ = candidates.next(bytes)
        } else if firstBreak >= 0 {
          // The quote that seems to close the field opens another one, lines later.
          return .cut(firstBreak)
        } else {
          return .textAfter
        }
      } else if Self.isLineEnd(byte) {
        if firstBreak < 0 { firstBreak = index }
        if byte == Self.carriageReturn || bytes[index &- 1] != Self.carriageReturn { breaks &+= 1 }
      }
    }
    guard isLast else { return .incomplete }
    return .cut(firstBreak >= 0 ? firstBreak : bytes.count)
  }

  private mutating func close(_ breaks: Int, _ isDoubled: Bool) {
    innerBreaks &+= breaks
    firstBreak = -1
    hasDoubledQuotes = hasDoubledQuotes || isDoubled
  }

  /// Ends the record before the line end at `index`, unless more bytes must tell whether that is a CR or a
  /// CRLF.
  private mutating func finish(at index: Int, _ bytes: Span<UInt8>, isLast: Bool) {
    contentEnd = index
    next = min(index &+ 1, bytes.count)
    outcome = .record
    guard index < bytes.count, bytes[index] == Self.carriageReturn else { return }
    if next < bytes.count {
      if bytes[next] == Self.lineFeed { next &+= 1 }
    } else if !isLast {
      outcome = .incomplete
    }
  }

  @inline(__always)
  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == lineFeed || byte == carriageReturn
  }
}
