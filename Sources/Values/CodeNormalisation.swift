/// Codes, identifiers and flags: short ASCII of a fixed form.
enum CodeNormalisation {
  static func code(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    var hasLower = false
    for index in range {
      let byte = field[index]
      guard byte >= 0x20, byte < 0x7F else { return .invalid(byte == 0 ? .nulByte : .notPrintable) }
      hasLower = hasLower || ASCII.isLower(byte)
    }
    return upperCased(field, range, hasLower, &scratch)
  }

  static func digits(
    _ field: Span<UInt8>, _ range: Range<Int>, _ count: Int, _ scratch: inout [UInt8]
  ) -> Normalised {
    guard field.areDigits(range) else { return .invalid(.notDigits) }
    guard range.count <= count else { return .invalid(.tooManyDigits) }
    guard range.count < count else { return .slice(range) }
    scratch.removeAll(keepingCapacity: true)
    for _ in range.count..<count { scratch.append(ASCII.zero) }
    scratch.append(field, range)
    return .scratch
  }

  /// CPT category I and anaesthesia `99999`; category II `9999F`, III `9999T`, laboratory analyses `9999U`,
  /// multianalyte assays `9999M`, vaccine administration `9999A`; HCPCS Level II `X9999`.
  static func hcpcs(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    guard range.count == 5 else {
      // The codes of anaesthesia alone begin with zeros, 00100 to 01999: such a number has lost them. Of another
      // of four digits nobody knows which of its five is gone.
      guard
        range.count == 3 && field[range.lowerBound] != ASCII.zero
          || range.count == 4 && field[range.lowerBound] == ASCII.zero + 1, field.areDigits(range)
      else { return .invalid(.notHCPCS) }
      return digits(field, range, 5, &scratch)
    }
    let start = range.lowerBound
    let (first, last) = (field[start], field[start &+ 4])
    guard field.areDigits((start &+ 1)..<(start &+ 4)) else { return .invalid(.notHCPCS) }
    switch (ASCII.isDigit(first), ASCII.isDigit(last)) {
    case (true, true): return .slice(range)
    case (true, false):
      switch ASCII.upper(last) {
      case UInt8(ascii: "A"), UInt8(ascii: "F"), UInt8(ascii: "M"), UInt8(ascii: "T"), UInt8(ascii: "U"):
        return upperCased(field, range, ASCII.isLower(last), &scratch)
      default: return .invalid(.notHCPCS)
      }
    case (false, true):
      guard ASCII.isUpper(ASCII.upper(first)) else { return .invalid(.notHCPCS) }
      return upperCased(field, range, ASCII.isLower(first), &scratch)
    case (false, false): return .invalid(.notHCPCS)
    }
  }

  static func modifier(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    guard range.count == 2 else { return .invalid(.notModifier) }
    let (first, second) = (field[range.lowerBound], field[range.lowerBound &+ 1])
    guard isAlphanumeric(first), isAlphanumeric(second) else { return .invalid(.notModifier) }
    return upperCased(field, range, ASCII.isLower(first) || ASCII.isLower(second), &scratch)
  }

  static func flag(
    _ field: Span<UInt8>, _ range: Range<Int>, _ mark: FlagMark, _ scratch: inout [UInt8]
  ) -> Normalised {
    guard mark.count == range.count else { return .invalid(.notFlag) }
    for place in 0..<mark.count where field[range.lowerBound &+ place] != mark[place] {
      return .invalid(.notFlag)
    }
    scratch.replace(with: UInt8(ascii: "t"))
    return .scratch
  }

  private static let yes: [StaticString] = ["TRUE", "T", "YES", "Y", "1"]
  private static let no: [StaticString] = ["FALSE", "F", "NO", "N", "0"]

  /// Yes and no, as exports write them.
  static func boolean(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    let isTrue = field.isAmong(yes, range)
    guard isTrue || field.isAmong(no, range) else { return .invalid(.notBoolean) }
    scratch.replace(with: UInt8(ascii: isTrue ? "t" : "f"))
    return .scratch
  }

  @inline(__always)
  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isUpper(ASCII.upper(byte))
  }

  @inline(__always)
  private static func upperCased(
    _ field: Span<UInt8>, _ range: Range<Int>, _ hasLower: Bool, _ scratch: inout [UInt8]
  ) -> Normalised {
    guard hasLower else { return .slice(range) }
    scratch.removeAll(keepingCapacity: true)
    for index in range { scratch.append(ASCII.upper(field[index])) }
    return .scratch
  }
}
