/// Texts by which people who fill a list in say that nothing is there.
///
/// | | texts | |
/// |---|---|---|
/// | marks | `N/A`, `TBD`, `<UNAVAIL>`, `#N/A`, `--`, `.`, anything without a letter or a digit | nobody's name or code |
/// | words | `none`, `null`, `nan`, `na`, `unknown` | a placeholder where it is all that a field of a name holds; Ms. None and Mr. Nan are people |
public enum Placeholder {
  /// Whether a text says by its form that nothing is there, in whatever letter case and with blanks at its
  /// ends; a blank one says nothing.
  public static func isMark(_ field: Span<UInt8>) -> Bool {
    let text = field.extracting(field.trimmed())
    guard !text.isEmpty else { return false }
    // Most texts need no more than a look at their first letter.
    let first = ASCII.upper(text[0])
    if beginnings.contains(first) { return text.isAmong(marks, text.indices) || !isSaying(text) }
    return !(ASCII.isUpper(first) || ASCII.isDigit(first)) && !isSaying(text)
  }

  /// Whether a text has a letter or a digit.
  private static func isSaying(_ text: Span<UInt8>) -> Bool {
    var place = 0
    while place < text.count {
      // U+2000 to U+203F: dashes, quotes, dots.
      if text[place] == 0xE2, place &+ 2 < text.count, text[place &+ 1] == 0x80 {
        place &+= 3
        continue
      }
      if LetterCase.isLetter(text[place]) || ASCII.isDigit(text[place]) { return true }
      place &+= 1
    }
    return false
  }

  /// Whether a text is one of the words that say so, and could be a name.
  public static func isWord(_ text: Span<UInt8>) -> Bool { text.isAmong(words, text.trimmed()) }

  private static let beginnings = Array("NTU<#".utf8)

  private static let marks: [StaticString] = [
    "N/A", "N.A.", "N/A.", "#N/A", "#REF!", "#VALUE!", "TBD", "T.B.D.", "TBA", "TBC", "<UNAVAIL>", "UNAVAIL",
    "UNAVAILABLE", "NOT AVAILABLE", "NOT APPLICABLE", "NOT ASSIGNED", "UNASSIGNED", "TO BE DETERMINED",
    "TO BE ANNOUNCED",
  ]

  private static let words: [StaticString] = ["NONE", "NULL", "NAN", "NA", "NIL", "UNKNOWN"]
}
