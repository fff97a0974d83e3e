import Values

/// The values of a JSON record by the names that lead to them, for those who do not know yet what a record
/// has.
///
/// ```swift
/// try? JSONLeaves.read(Array(#"{"name":{"family":"Ex"},"tags":["a","b"]}"#.utf8))
/// // name.family = Ex; tags = a (isItem), tags = b (isItem)
/// ```
public struct JSONLeaves: Sendable {
  /// What is at a place.
  public enum Value: Sendable, Equatable {
    /// A string without its escapes, or a number, `true` or `false` as it is written.
    case text([UInt8])
    /// `null`.
    case null
    /// An array of objects or arrays: what repeats, and is not gone into.
    case things
  }

  /// A value and where it is.
  public struct Leaf: Sendable, Equatable {
    /// The names that lead to it, from the record down.
    public let path: [String]
    /// What is there.
    public let value: Value
    /// Whether it is one of an array.
    public let isItem: Bool
  }

  /// More within each other is not gone into.
  static let mostDepth = 16

  private let bytes: [UInt8]
  private var scanner = JSONScanner()
  private var path: [String] = []
  private var leaves: [Leaf] = []

  /// The values of a record, an object, in their order.
  /// - Throws: ``Malformation``, what is wrong with the record.
  public static func read(_ record: [UInt8]) throws(Malformation) -> [Leaf] {
    var reader = JSONLeaves(record)
    reader.passBlanks()
    guard reader.next == UInt8(ascii: "{") else { throw .notAnObject }
    try reader.object()
    return reader.leaves
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { scanner.next(bytes.span) }

  private mutating func passBlanks() {
    let bytes = bytes
    scanner.passBlanks(bytes.span)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    passBlanks()
    guard next == byte else { return false }
    scanner.place += 1
    return true
  }

  private func failure() -> Malformation {
    scanner.place < bytes.count ? .badSyntax : .truncated
  }

  private mutating func object() throws(Malformation) {
    guard take(UInt8(ascii: "{")) else { throw failure() }
    if take(UInt8(ascii: "}")) { return }
    var names: Set<String> = []
    repeat {
      passBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure() }
      let name = String(decoding: try text(), as: UTF8.self)
      guard names.insert(name).inserted else { throw .repeatedName }
      guard take(UInt8(ascii: ":")) else { throw failure() }
      path.append(name)
      try value(isItem: false)
      path.removeLast()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure() }
  }

  private mutating func value(isItem: Bool) throws(Malformation) {
    passBlanks()
    switch next {
    case UInt8(ascii: "{"):
      guard !isItem, path.count < Self.mostDepth else { return try pass(.things, isItem: isItem) }
      try object()
    case UInt8(ascii: "["):
      guard !isItem else { return try pass(.things, isItem: true) }
      scanner.place += 1
      if take(UInt8(ascii: "]")) { return }
      repeat { try value(isItem: true) } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw failure() }
    case UInt8(ascii: "\""):
      leaves.append(Leaf(path: path, value: .text(try text()), isItem: isItem))
    default: try pass(nil, isItem: isItem)
    }
  }

  /// Passes a value over as far as brackets and quotes tell; without `value` it is a number or a word.
  private mutating func pass(_ value: Value?, isItem: Bool) throws(Malformation) {
    let start = scanner.place
    var balance = JSONBalance()
    guard let end = balance.end(bytes.span, from: start), end > start else { throw failure() }
    scanner.place = end
    let word = Array(bytes[start..<end])
    let value = value ?? (word.elementsEqual("null".utf8) ? .null : .text(word))
    leaves.append(Leaf(path: path, value: value, isItem: isItem))
  }

  /// What the text says whose opening quote is next.
  private mutating func text() throws(Malformation) -> [UInt8] {
    var text: [UInt8] = []
    let bytes = bytes
    if let fault = scanner.text(bytes.span, onto: &text) { throw Malformation(fault) }
    return text
  }
}
