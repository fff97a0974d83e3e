/// Moments and times of day as ISO 8601 writes them.
enum MomentNormalisation {
  /// `2025-01-31T09:30:00.123Z`, also with a blank for the T, without seconds, fraction or zone; one without
  /// a zone is UTC, and a date alone is its midnight.
  static func timestamp(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    let dateEnd = range.lowerBound &+ 10
    guard range.count >= 10 else { return .invalid(.notTimestamp) }
    var unused: [UInt8] = []
    switch DateNormalisation.date(field, range.lowerBound..<dateEnd, .iso, &unused) {
    case .slice: break
    case .blank: return range.count == 10 ? .blank : .invalid(.impossibleDate)
    case .invalid(.impossibleDate): return .invalid(.impossibleDate)
    case .scratch, .invalid: return .invalid(.notTimestamp)
    }
    scratch.removeAll(keepingCapacity: true)
    for place in range.lowerBound..<dateEnd { scratch.append(field[place]) }
    scratch.append(0x20)
    if range.count == 10 {
      scratch.append(contentsOf: "00:00:00+00:00".utf8)
      return .scratch
    }
    let separator = field[dateEnd]
    guard separator == 0x20 || separator & 0xDF == UInt8(ascii: "T"),
      let clock = Clock(field, (dateEnd &+ 1)..<range.upperBound)
    else { return .invalid(.notTimestamp) }
    clock.write(of: field, to: &scratch)
    guard let zone = Zone(field, clock.end..<range.upperBound) else { return .invalid(.notTimestamp) }
    zone.write(to: &scratch)
    return .scratch
  }

  /// `09:30`, `09:30:15.5`, `9:30 PM`.
  static func time(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    guard var clock = Clock(field, range) else { return .invalid(.notTime) }
    var place = clock.end
    while place < range.upperBound, field[place] == 0x20 { place &+= 1 }
    if place < range.upperBound {
      guard range.upperBound &- place == 2, ASCII.upper(field[place &+ 1]) == UInt8(ascii: "M"),
        (1...12).contains(clock.hour)
      else { return .invalid(.notTime) }
      switch ASCII.upper(field[place]) {
      case UInt8(ascii: "A"): clock.hour = clock.hour % 12
      case UInt8(ascii: "P"): clock.hour = clock.hour % 12 &+ 12
      default: return .invalid(.notTime)
      }
    }
    scratch.removeAll(keepingCapacity: true)
    clock.write(of: field, to: &scratch)
    return .scratch
  }

  /// Hours and minutes, and what follows them if it is there.
  private struct Clock {
    var hour: Int
    let minute: Int
    var second = 0
    /// The digits after the point.
    var fraction = 0..<0
    /// The first byte after it.
    private(set) var end: Int

    init?(_ field: Span<UInt8>, _ range: Range<Int>) {
      var place = range.lowerBound
      guard let hour = number(field, &place, range.upperBound, digits: 1...2), hour < 24,
        take(UInt8(ascii: ":"), field, &place, range.upperBound),
        let minute = number(field, &place, range.upperBound, digits: 2...2), minute < 60
      else { return nil }
      (self.hour, self.minute) = (hour, minute)
      if take(UInt8(ascii: ":"), field, &place, range.upperBound) {
        guard let second = number(field, &place, range.upperBound, digits: 2...2), second < 60 else {
          return nil
        }
        self.second = second
        if take(ASCII.point, field, &place, range.upperBound)
          || take(UInt8(ascii: ","), field, &place, range.upperBound)
        {
          let start = place
          while place < range.upperBound, ASCII.isDigit(field[place]) { place &+= 1 }
          guard place > start else { return nil }
          // The server keeps microseconds.
          fraction = start..<min(place, start &+ 6)
        }
      }
      end = place
    }

    func write(of field: Span<UInt8>, to output: inout [UInt8]) {
      for (index, part) in [hour, minute, second].enumerated() {
        if index > 0 { output.append(UInt8(ascii: ":")) }
        appendTwo(part, to: &output)
      }
      if !fraction.isEmpty {
        output.append(ASCII.point)
        for place in fraction { output.append(field[place]) }
      }
    }
  }

  /// The distance from UTC.
  private struct Zone {
    private var sign = ASCII.plus
    private var hours = 0
    private var minutes = 0

    /// `Z`, `+05`, `-0800`, `+05:30`, or nothing.
    init?(_ field: Span<UInt8>, _ range: Range<Int>) {
      var place = range.lowerBound
      while place < range.upperBound, field[place] == 0x20 { place &+= 1 }
      guard place < range.upperBound else { return }
      if field[place] & 0xDF == UInt8(ascii: "Z") {
        guard place &+ 1 == range.upperBound else { return nil }
        return
      }
      sign = field[place]
      guard sign == ASCII.plus || sign == ASCII.minus else { return nil }
      place &+= 1
      guard let hours = number(field, &place, range.upperBound, digits: 2...2), hours < 16 else { return nil }
      self.hours = hours
      if place < range.upperBound {
        _ = take(UInt8(ascii: ":"), field, &place, range.upperBound)
        guard let minutes = number(field, &place, range.upperBound, digits: 2...2), minutes < 60,
          place == range.upperBound
        else { return nil }
        self.minutes = minutes
      }
    }

    func write(to output: inout [UInt8]) {
      output.append(sign)
      appendTwo(hours, to: &output)
      output.append(UInt8(ascii: ":"))
      appendTwo(minutes, to: &output)
    }
  }

  /// A number of some digits; nil where there are fewer.
  private static func number(
    _ field: Span<UInt8>, _ place: inout Int, _ end: Int, digits: ClosedRange<Int>
  ) -> Int? {
    var (number, count) = (0, 0)
    while place < end, count < digits.upperBound, ASCII.isDigit(field[place]) {
      number = number &* 10 &+ Int(field[place] &- ASCII.zero)
      place &+= 1
      count &+= 1
    }
    return count >= digits.lowerBound ? number : nil
  }

  private static func take(_ byte: UInt8, _ field: Span<UInt8>, _ place: inout Int, _ end: Int) -> Bool {
    guard place < end, field[place] == byte else { return false }
    place &+= 1
    return true
  }

  private static func appendTwo(_ number: Int, to output: inout [UInt8]) {
    output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: number / 10))
    output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: number % 10))
  }
}
