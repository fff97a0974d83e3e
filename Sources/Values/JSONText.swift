/// JSON that is kept as JSON, or as an array of texts: checked as strictly as PostgreSQL's `jsonb` does, so
/// that no row is refused by the server for it.
struct JSONText: ~Copyable {
  /// So many objects and arrays may be within each other.
  private static let mostDepth = 64
  /// Digits of an exponent; `numeric` holds no number that needs more.
  private static let mostExponentDigits = 4

  /// Names of properties, of letters and digits in lower case.
  private let without: [[UInt8]]
  /// Something was left out.
  private var isShorter = false
  private var scanner = JSONScanner()
  /// What the text says that was passed last, where it has escapes.
  private var unescaped: [UInt8] = []

  private init(without: [[UInt8]]) { self.without = without }

  /// A JSON value of a kind as it is written, or without the properties of some names, wherever they are.
  static func json(
    _ field: Span<UInt8>, _ range: Range<Int>, _ kind: ValueType.JSONKind = .any, without names: [String],
    _ scratch: inout [UInt8]
  ) -> Normalised {
    switch (kind, field[range.lowerBound]) {
    case (.any, _), (.array, UInt8(ascii: "[")), (.object, UInt8(ascii: "{")): break
    case (.array, _): return .invalid(.notArray)
    case (.object, _): return .invalid(.notObject)
    }
    var text = JSONText(without: names.map { Self.plain(Array($0.utf8).span) })
    scratch.removeAll(keepingCapacity: true)
    let field = field.extracting(range)
    guard text.value(field, depth: 0, onto: &scratch), text.scanner.place == field.count else {
      return .invalid(.notJSON)
    }
    return names.isEmpty ? .slice(range) : .scratch
  }

  /// PostgreSQL's text of an array, from a JSON array of texts, numbers and truths. A null among them is
  /// none.
  static func texts(_ field: Span<UInt8>, _ range: Range<Int>, _ scratch: inout [UInt8]) -> Normalised {
    var text = JSONText(without: [])
    scratch.removeAll(keepingCapacity: true)
    let field = field.extracting(range)
    guard text.items(field, onto: &scratch), text.scanner.place == field.count else {
      return .invalid(.notTexts)
    }
    return .scratch
  }

  // MARK: Values

  private mutating func value(_ field: Span<UInt8>, depth: Int, onto output: inout [UInt8]) -> Bool {
    switch scanner.next(field) {
    case UInt8(ascii: "{"): return depth < Self.mostDepth && object(field, depth: depth &+ 1, onto: &output)
    case UInt8(ascii: "["): return depth < Self.mostDepth && array(field, depth: depth &+ 1, onto: &output)
    case UInt8(ascii: "\""):
      guard let text = string(field) else { return false }
      if without.isEmpty || !cleaned(onto: &output) { Self.copy(field, text, onto: &output) }
      return true
    default:
      let start = scanner.place
      guard word(field) else { return false }
      Self.copy(field, start..<scanner.place, onto: &output)
      return true
    }
  }

  private mutating func object(_ field: Span<UInt8>, depth: Int, onto output: inout [UInt8]) -> Bool {
    scanner.place &+= 1
    output.append(UInt8(ascii: "{"))
    if closes(with: UInt8(ascii: "}"), field, onto: &output) { return true }
    var isFirst = true
    while true {
      scanner.passBlanks(field)
      guard scanner.next(field) == UInt8(ascii: "\""), let name = string(field) else { return false }
      let mark = output.count
      if !isFirst { output.append(UInt8(ascii: ",")) }
      Self.copy(field, name, onto: &output)
      scanner.passBlanks(field)
      guard scanner.take(UInt8(ascii: ":"), field) else { return false }
      output.append(UInt8(ascii: ":"))
      scanner.passBlanks(field)
      guard value(field, depth: depth, onto: &output) else { return false }
      if isUnwanted(name, field) {
        output.removeSubrange(mark...)
        isShorter = true
      } else {
        isFirst = false
      }
      if closes(with: UInt8(ascii: "}"), field, onto: &output) { return true }
      guard scanner.take(UInt8(ascii: ","), field) else { return false }
    }
  }

  private mutating func array(_ field: Span<UInt8>, depth: Int, onto output: inout [UInt8]) -> Bool {
    scanner.place &+= 1
    output.append(UInt8(ascii: "["))
    if closes(with: UInt8(ascii: "]"), field, onto: &output) { return true }
    while true {
      scanner.passBlanks(field)
      guard value(field, depth: depth, onto: &output) else { return false }
      if closes(with: UInt8(ascii: "]"), field, onto: &output) { return true }
      guard scanner.take(UInt8(ascii: ","), field) else { return false }
      output.append(UInt8(ascii: ","))
    }
  }

  /// A name is compared by its letters and digits, in any case: `patient_id` is `patientId`. One that is
  /// written with escapes is not trusted to be another.
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

  /// Writes the text that was passed last without what is unwanted in it, where it holds JSON with such
  /// properties; else nothing.
  private func cleaned(onto output: inout [UInt8]) -> Bool {
    // JSON with properties has quotes, which a text without escapes cannot say.
    guard !unescaped.isEmpty else { return false }
    let field = unescaped.span
    var inner = JSONText(without: without)
    var rest: [UInt8] = []
    inner.scanner.passBlanks(field)
    guard inner.value(field, depth: 0, onto: &rest), inner.isShorter else { return false }
    inner.scanner.passBlanks(field)
    guard inner.scanner.place == field.count else { return false }
    Self.quote(rest.span, onto: &output)
    return true
  }

  // MARK: Arrays of texts

  private mutating func items(_ field: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    output.append(UInt8(ascii: "{"))
    guard scanner.take(UInt8(ascii: "["), field) else { return false }
    var unused: [UInt8] = []
    if !closes(with: UInt8(ascii: "]"), field, onto: &unused) {
      while true {
        scanner.passBlanks(field)
        guard item(field, onto: &output) else { return false }
        if closes(with: UInt8(ascii: "]"), field, onto: &unused) { break }
        guard scanner.take(UInt8(ascii: ","), field) else { return false }
      }
    }
    output.append(UInt8(ascii: "}"))
    return true
  }

  private mutating func item(_ field: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    let isText = scanner.next(field) == UInt8(ascii: "\"")
    let start = scanner.place
    guard isText ? string(field) != nil : word(field) else { return false }
    if field[start] == UInt8(ascii: "n") { return true }
    if output.count > 1 { output.append(UInt8(ascii: ",")) }
    if isText && !unescaped.isEmpty {
      Self.quote(unescaped.span, onto: &output)
    } else {
      let quotes = isText ? 1 : 0
      Self.quote(field.extracting((start &+ quotes)..<(scanner.place &- quotes)), onto: &output)
    }
    return true
  }

  // MARK: Parts

  /// Passes a text that `jsonb` takes and gives its range with the quotes. NUL no text of the server can
  /// hold.
  private mutating func string(_ field: Span<UInt8>) -> Range<Int>? {
    let start = scanner.place
    unescaped.removeAll(keepingCapacity: true)
    if scanner.plainText(field) == nil {
      guard scanner.text(field, onto: &unescaped) == nil, !unescaped.contains(0) else { return nil }
    }
    return start..<scanner.place
  }

  private mutating func word(_ field: Span<UInt8>) -> Bool {
    scanner.word(field, mostExponentDigits: Self.mostExponentDigits)
  }

  private mutating func closes(with byte: UInt8, _ field: Span<UInt8>, onto output: inout [UInt8]) -> Bool {
    scanner.passBlanks(field)
    guard scanner.take(byte, field) else { return false }
    output.append(byte)
    return true
  }

  private static func copy(_ field: Span<UInt8>, _ range: Range<Int>, onto output: inout [UInt8]) {
    field.extracting(range).withUnsafeBufferPointer { output.append(contentsOf: $0) }
  }

  /// Appends a text in quotes, with backslashes before quotes and backslashes in it.
  private static func quote(_ text: Span<UInt8>, onto output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for place in text.indices {
      let byte = text[place]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
  }
}
