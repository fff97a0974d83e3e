/// Where the words of a text are, for what is done word by word.
enum TextWords {
  /// The next run of bytes from a place on of which none separates words; nil where there is none.
  static func next(
    in text: [UInt8], from start: Int, separator isSeparator: (UInt8) -> Bool
  ) -> Range<Int>? {
    var lower = start
    while lower < text.count, isSeparator(text[lower]) { lower &+= 1 }
    guard lower < text.count else { return nil }
    var upper = lower
    while upper < text.count, !isSeparator(text[upper]) { upper &+= 1 }
    return lower..<upper
  }

  /// How many bytes an apostrophe at a place has, straight or curved; 0 where there is none.
  static func apostrophe(in text: [UInt8], at place: Int) -> Int {
    guard place < text.count else { return 0 }
    if text[place] == UInt8(ascii: "'") { return 1 }
    // U+2019
    let isCurved =
      place &+ 2 < text.count && text[place] == 0xE2 && text[place &+ 1] == 0x80 && text[place &+ 2] == 0x99
    return isCurved ? 3 : 0
  }
}
