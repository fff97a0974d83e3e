/// JSON that is kept as JSON, or as an array of texts: checked as strictly as PostgreSQL's `jsonb` does, so that no row is
/// refused by the server for it.
struct JSONText: ~Copyable {
  /// So many objects and arrays may be within each other.
  private static let mostDepth = 64
  /// Digits of an exponent; `numeric` holds no number that needs more.
  private static let mostExponentDigits = 4

  /// Names of properties, of letters and digits in lower case.
  private let without: [[UInt8]]
  /// Something was left out.
  private var isShorter = false
  private var place: Int
  private let end: Int

  private init(_ range: Range<Int>, without: [[UInt8]]) {
    (place, end) = (range.lowerBound, range.upperBound)
    self.without = without
  }

  /// A JSON value of a kind as it stands, or without the properties of some names, wherever they are.
  static func json(
    _ field: Span<UInt8>, _ range: Range<Int>, _ kind: ValueType.JSONKind = .any, without names: [String],
    _ scratch: inout [UInt8]
  ) -> Normalised {
    switch (kind, field[range.lowerBound]) {
    case (.any, _), (.array, UInt8(ascii: "[")), (.object, UInt8(ascii: "{")): break
    case (.array, _): return .invalid(.notArray)
    case (.object, _): return .invalid(.notObject)
    }
    var text = JSONText(range, without: names.map { Self.plain(Array($0.utf8).span) })
    scratch.removeAll(keepingCapacity: true)
    guard text.value(field, depth: 0, onto: &scratch), text.place == text.end else {
      return .invalid(.notJSON)
    }
    return names.isEmpty ? .slice(range) : .scratch
  }

  /// PostgreSQL's text of an array, from a JSON array of texts, numbers and truths. A null among them is none.
  static func texts(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    var text = JSONText(range, without: [])
    scratch.removeAll(keepingCapacity: true)
    guard text.items(field, onto: &scratch), text.place == text.end else { return .invalid(.notTexts) }
    return .scratch
  }

  // MARK: Values

  private mutating func value(_ field: Span<UInt8>, depth: Int, onto output: inout [UInt8]) -> Bool {
    guard place < end else { return false }
    switch field[place] {
    case UInt8(ascii: "{"): return depth < Self.mostDepth && object(field, depth: depth &+ 1, onto: &output)
    case UInt8(ascii: "["): return depth < Self.mostDepth && array(field, depth: depth &+ 1, onto: &output)
    case UInt8(ascii: "\""):
      guard let text = string(field) else { return false }
      if without.isEmpty || !cleaned(field, text, onto: &output) {
        for place in text { output.append(field[place]) }
      }
      return true
    default:
      let start = place
      guard word(field) else { return false }
      for place in start..<place { output.append(field[place]) }
      return true
    }
  }

  private mutating func object(_ field: Span<UInt8>, depth: Int, onto output: inout [UInt8]) -> Bool {
    take(UInt8(ascii: "{"), field, onto: &output)
    if closes(with: UInt8(ascii: "}"), field, onto: &output) { return true }
    var isFirst = true
    while true {
      passBlanks(field)
      guard place < end, field[place] == UInt8(ascii: "\""), let name = string(field) else { return false }
      let mark = output.count
      if !isFirst { output.append(UInt8(ascii: ",")) }
      for place in name { output.append(field[place]) }
      passBlanks(field)
      guard place < end, field[place] == UInt8(ascii: ":") else { return false }
      take(UInt8(ascii: ":"), field, onto: &output)
      passBlanks(field)
      guard value(field, depth: depth, onto: &output) else { return false }
      if isUnwanted(name, field) {
        output.removeSubrange(mark...)
        isShorter = true
      } else {
        isFirst = false
      }
      if closes(with: UInt8(ascii: "}"), field, onto: &output) { return true }
      guard place < end, field[place] == UInt8(ascii: ",") else { return false }
      place &+= 1
    }
  }

  private mutating func array(_ field: Span<UInt8>, depth: Int, onto output: inout [UInt8]) -> Bool {
    take(UInt8(ascii: "["), field, onto: &output)
    if closes(with: UInt8(ascii: "]"), field, onto: &output) { return true }
    while true {
      passBlanks(field)
      guard value(field, depth: depth, onto: &output) else { return false }
      if closes(with: UInt8(ascii: "]"), field, onto: &output) { return true }
      guard place < end, field[place] == UInt8(ascii: ",") else { return false }
      take(UInt8(ascii: ","), field, onto: &output)
    }
  }

  /// A name is compared by its letters and digits, in any case: `patient_id` is `patientId`. One that is written with
  /// escapes is not trusted to be another.
  private func isUnwanted(_ name: Range<Int>, _ field: Span<UInt8>) -> Bool {
    if without.isEmpty { return false }
    for place in name where field[place] == UInt8(ascii: "\\") { return true }
    return without.contains(Self.plain(field.extracting(name)))
  }

  private static func plain(_ name: Span<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    for place in name.indices {
      let byte = name[place]
      if ASCII.isDigit(byte) || byte >= 0x80 { plain.append(byte) }
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { plain.append(byte | 0x20) }
    }
    return plain
  }

  /// Writes a text without what is unwanted in it, where it holds JSON with such properties; else nothing.
  private func cleaned(_ field: Span<UInt8>, _ text: Range<Int>, onto output: inout [UInt8]) -> Bool {
    var plain: [UInt8] = []
    unescape(field, (text.lowerBound &+ 1)..<(text.upperBound &- 1), quoting: false, onto: &plain)
    var inner = JSONText(0..<plain.count, without: without)
    var rest: [UInt8] = []
    inner.passBlanks(plain.span)
    guard inner.value(plain.span, depth: 0, onto: &rest), inner.isShorter else { return false }
    inner.passBlanks(plain.span)
    guard inner.place == inner.end else { return false }
    output.append(UInt8(ascii: "\""))
    for byte in rest {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
    return true
  }

  // MARK: Arrays of texts

  private mutating func items(_ field: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    output.append(UInt8(ascii: "{"))
    guard place < end, field[place] == UInt8(ascii: "[") else { return false }
    place &+= 1
    var unused: [UInt8] = []
    if closes(with: UInt8(ascii: "]"), field, onto: &unused) {
      output.append(UInt8(ascii: "}"))
      return true
    }
    while true {
      passBlanks(field)
      let start = place
      guard place < end, item(field, from: start, onto: &output) else { return false }
      if closes(with: UInt8(ascii: "]"), field, onto: &unused) {
        output.append(UInt8(ascii: "}"))
        return true
      }
      guard place < end, field[place] == UInt8(ascii: ",") else { return false }
      place &+= 1
    }
  }

  private mutating func item(_ field: Span<UInt8>, from start: Int, onto output: inout [UInt8]) -> Bool {
    let text: Range<Int>
    if field[start] == UInt8(ascii: "\"") {
      guard let string = string(field) else { return false }
      text = (string.lowerBound &+ 1)..<(string.upperBound &- 1)
    } else {
      guard word(field) else { return false }
      if field[start] == UInt8(ascii: "n") { return true }
      text = start..<place
    }
    if output.count > 1 { output.append(UInt8(ascii: ",")) }
    output.append(UInt8(ascii: "\""))
    unescape(field, text, quoting: true, onto: &output)
    output.append(UInt8(ascii: "\""))
    return true
  }

  /// Writes what a text says, on demand with quotes and backslashes as an array's text has them.
  private func unescape(
    _ field: Span<UInt8>, _ text: Range<Int>, quoting: Bool, onto output: inout [UInt8]
  ) {
    func put(_ byte: UInt8) {
      if quoting, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        output.append(UInt8(ascii: "\\"))
      }
      output.append(byte)
    }
    var place = text.lowerBound
    while place < text.upperBound {
      let byte = field[place]
      guard byte == UInt8(ascii: "\\") else {
        put(byte)
        place &+= 1
        continue
      }
      switch field[place &+ 1] {
      case UInt8(ascii: "n"): put(0x0A)
      case UInt8(ascii: "t"): put(0x09)
      case UInt8(ascii: "r"): put(0x0D)
      case UInt8(ascii: "b"): put(0x08)
      case UInt8(ascii: "f"): put(0x0C)
      case UInt8(ascii: "u"):
        var scalar = Self.number(field, at: place &+ 2)
        place &+= 4
        if scalar >= 0xD800, scalar < 0xDC00 {
          scalar = 0x10000 &+ (scalar &- 0xD800) << 10 &+ (Self.number(field, at: place &+ 4) &- 0xDC00)
          place &+= 6
        }
        if let scalar = Unicode.Scalar(scalar) {
          for byte in String(Character(scalar)).utf8 { put(byte) }
        }
      default: put(field[place &+ 1])
      }
      place &+= 2
    }
  }

  // MARK: Parts

  /// The range of a text with its quotes.
  private mutating func string(_ field: Span<UInt8>) -> Range<Int>? {
    let start = place
    place &+= 1
    while place < end {
      switch field[place] {
      case UInt8(ascii: "\""):
        place &+= 1
        return start..<place
      case UInt8(ascii: "\\"):
        guard passEscape(field) else { return nil }
      case 0..<0x20: return nil
      default: place &+= 1
      }
    }
    return nil
  }

  /// NUL no text of the server can hold, and half a surrogate is no character.
  private mutating func passEscape(_ field: Span<UInt8>) -> Bool {
    guard place &+ 1 < end else { return false }
    switch field[place &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      place &+= 2
      return true
    case UInt8(ascii: "u"):
      guard isNumber(field, at: place &+ 2) else { return false }
      let unit = Self.number(field, at: place &+ 2)
      place &+= 6
      guard unit != 0, !(0xDC00..<0xE000).contains(unit) else { return false }
      guard (0xD800..<0xDC00).contains(unit) else { return true }
      guard place &+ 6 <= end, field[place] == UInt8(ascii: "\\"), field[place &+ 1] == UInt8(ascii: "u"),
        isNumber(field, at: place &+ 2), (0xDC00..<0xE000).contains(Self.number(field, at: place &+ 2))
      else { return false }
      place &+= 6
      return true
    default: return false
    }
  }

  /// Whether four hexadecimal digits stand at a place.
  private func isNumber(_ field: Span<UInt8>, at start: Int) -> Bool {
    guard start &+ 4 <= end else { return false }
    for place in start..<(start &+ 4) where ASCII.hexadecimalDigit(field[place]) == nil { return false }
    return true
  }

  private static func number(_ field: Span<UInt8>, at start: Int) -> UInt32 {
    var number: UInt32 = 0
    for place in start..<(start &+ 4) {
      number = number << 4 | UInt32(ASCII.hexadecimalDigit(field[place]) ?? 0)
    }
    return number
  }

  /// Passes a number, `true`, `false` or `null`.
  private mutating func word(_ field: Span<UInt8>) -> Bool {
    switch field[place] {
    case UInt8(ascii: "t"): return passes("true", field)
    case UInt8(ascii: "f"): return passes("false", field)
    case UInt8(ascii: "n"): return passes("null", field)
    default: return number(field)
    }
  }

  private mutating func passes(_ word: StaticString, _ field: Span<UInt8>) -> Bool {
    guard end &- place >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where field[place &+ index] != word.utf8Start[index] {
      return false
    }
    place &+= word.utf8CodeUnitCount
    return true
  }

  private mutating func number(_ field: Span<UInt8>) -> Bool {
    if field[place] == ASCII.minus { place &+= 1 }
    let whole = place
    guard digits(field) > 0, place == whole &+ 1 || field[whole] != ASCII.zero else { return false }
    if place < end, field[place] == ASCII.point {
      place &+= 1
      guard digits(field) > 0 else { return false }
    }
    if place < end, field[place] | 0x20 == UInt8(ascii: "e") {
      place &+= 1
      if place < end, field[place] == ASCII.plus || field[place] == ASCII.minus { place &+= 1 }
      guard (1...Self.mostExponentDigits).contains(digits(field)) else { return false }
    }
    return true
  }

  private mutating func digits(_ field: Span<UInt8>) -> Int {
    let start = place
    while place < end, ASCII.isDigit(field[place]) { place &+= 1 }
    return place &- start
  }

  private mutating func passBlanks(_ field: Span<UInt8>) {
    while place < end, [0x20, 0x09, 0x0A, 0x0D].contains(field[place]) { place &+= 1 }
  }

  private mutating func take(_ byte: UInt8, _ field: Span<UInt8>, onto output: inout [UInt8]) {
    output.append(byte)
    place &+= 1
  }

  private mutating func closes(with byte: UInt8, _ field: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    passBlanks(field)
    guard place < end, field[place] == byte else { return false }
    take(byte, field, onto: &output)
    return true
  }
}
