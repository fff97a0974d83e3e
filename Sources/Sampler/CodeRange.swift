/// A range of codes of one form, such as `70010` to `79999` or `0001F` to `9999F`, counted like a mileage
/// counter: a place that holds a digit turns through 0 to 9, one that holds a letter through A to Z, and one
/// whose letter is the same at both ends stays.
struct CodeRange {
  /// What the codes of the range are, for formulas.
  let kind: String
  /// How large a part of the rows is the range's, beside the shares of the others.
  let share: Int
  /// How many items the range has at the least.
  let least: Int
  /// The parts that each of its codes comes in; one blank part where codes come whole.
  let parts: [String]
  /// How many codes the range has.
  let count: Int

  private let first: [UInt8]
  private let firstOrdinal: Int
  /// For each place what it turns through: 10, 26, or 1 where it stays.
  private let turns: [Int]

  /// A range; nil when the ends have not the same form, or the last goes before the first.
  init?(kind: String, from: String, to: String, share: Int, least: Int, parts: [String]) {
    let (low, high) = (Array(from.utf8), Array(to.utf8))
    guard low.count == high.count, !low.isEmpty, low.count <= 12 else { return nil }
    var turns: [Int] = []
    for (one, other) in zip(low, high) {
      switch (Self.turn(one), Self.turn(other)) {
      case (10, 10): turns.append(10)
      case (26, 26): turns.append(one == other ? 1 : 26)
      default: return nil
      }
    }
    self.turns = turns
    first = low
    firstOrdinal = Self.ordinal(low, turns)
    count = Self.ordinal(high, turns) - firstOrdinal + 1
    guard count > 0 else { return nil }
    self.kind = kind
    self.share = share
    self.least = least
    self.parts = parts
  }

  /// Whether a code comes in several parts.
  var hasParts: Bool { parts.count > 1 }

  /// Writes the code of an ordinal, from 0.
  func append(_ ordinal: Int, to bytes: inout [UInt8]) {
    var rest = ordinal + firstOrdinal
    let start = bytes.count
    bytes += first
    for place in turns.indices.reversed() where turns[place] > 1 {
      let zero = turns[place] == 10 ? UInt8(ascii: "0") : UInt8(ascii: "A")
      bytes[start + place] = zero + UInt8(rest % turns[place])
      rest /= turns[place]
    }
  }

  /// Which code an item has, and under which variant: few items are spread over the range; where there are
  /// more than codes, each code comes several times.
  func place(of nth: Int, among items: Int) -> (ordinal: Int, variant: Int) {
    let repeats = max(1, (items + count - 1) / count)
    return repeats > 1 ? (nth / repeats, nth % repeats) : (nth * count / items, 0)
  }

  /// A code as one number: which range it is of, and which of its codes.
  static func value(range: Int, ordinal: Int) -> Int64 { Int64(range) << 40 | Int64(ordinal) }

  /// The range and the code of a number.
  static func place(_ value: Int64) -> (range: Int, ordinal: Int) {
    (Int(value >> 40), Int(value & (1 << 40 - 1)))
  }

  private static func turn(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): 10
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): 26
    default: nil
    }
  }

  private static func ordinal(_ code: [UInt8], _ turns: [Int]) -> Int {
    zip(code, turns).reduce(0) { ordinal, place in
      let (byte, turn) = place
      return ordinal * turn + (turn == 1 ? 0 : Int(byte) - (turn == 10 ? 48 : 65))
    }
  }
}
