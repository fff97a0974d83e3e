/// The texts of a sample, each kept once and known by its number.
///
/// Rows are made of numbers only: a text in a row is its number here.
final class TextPool {
  /// The texts' bytes by number.
  private(set) var texts: [[UInt8]] = []
  /// The names of the quirks that formulas may ask for.
  var quirks: [String] = []
  /// The columns of tables whose rows are written out, `table.column`, from which formulas may pick a text.
  var lists: [String: [Int64]] = [:]
  private var numbers: [String: Int64] = [:]

  /// The number of a text.
  func number(of text: String) -> Int64 {
    if let number = numbers[text] { return number }
    let number = Int64(texts.count)
    texts.append(Array(text.utf8))
    numbers[text] = number
    return number
  }

  /// Which of two texts goes first in a sorted table, by their bytes.
  func precedes(_ one: Int64, _ other: Int64) -> Bool {
    texts[Int(one)].lexicographicallyPrecedes(texts[Int(other)])
  }
}
