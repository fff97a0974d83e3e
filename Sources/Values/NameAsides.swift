/// What is in parentheses within a name: how people are called, and remarks.
///
/// ```
/// William (Bill) Smith     William Smith, nickname (Bill)
/// Smith, Anna (retired)    Smith, Anna, remark retired
/// Anna Smith (MD)          Anna Smith, remark MD
/// ```
struct NameAsides {
  /// The name without them.
  let name: [UInt8]
  /// Other names, with their parentheses.
  let nicknames: [[UInt8]]
  /// Remarks and credentials, without theirs.
  let remarks: [[UInt8]]

  init(_ text: [UInt8]) {
    var name: [UInt8] = []
    var (nicknames, remarks): ([[UInt8]], [[UInt8]]) = ([], [])
    var rest = text[...]
    while let open = rest.firstIndex(of: 0x28), let close = rest[open...].firstIndex(of: 0x29) {
      name += rest[..<open]
      name.append(0x20)
      let inner = text.span.extracting((open + 1)..<close)
      let trimmed = inner.trimmed()
      let aside = Array(text[(open + 1 + trimmed.lowerBound)..<(open + 1 + trimmed.upperBound)])
      if Self.isRemark(aside) {
        remarks.append(aside)
      } else if !aside.isEmpty {
        nicknames.append([0x28] + aside + [0x29])
      }
      rest = rest[(close + 1)...]
    }
    self.name = name + rest
    (self.nicknames, self.remarks) = (nicknames, remarks)
  }

  /// Whether it says something of a person, and is no name.
  private static func isRemark(_ aside: [UInt8]) -> Bool {
    if Credential.isKnown(aside, aside.indices) { return true }
    let words = aside.split { $0 == 0x20 || $0 == 0x2F || $0 == 0x2C }
    return words.contains { aside.span.isAmong(remarks, $0.indices) }
  }

  private static let remarks: [StaticString] = [
    "RETIRED", "RET", "RET.", "DECEASED", "DEC", "DEC.", "INACTIVE", "EMERITUS", "EMERITA", "RESIGNED",
    "LEAVE", "LOCUM", "LOCUMS", "TEMPORARY", "FORMER", "FORMERLY", "RESIDENT", "INTERN", "FELLOW", "STUDENT",
    "SHE", "HE", "THEY", "HER", "HIM", "THEM", "MALE", "FEMALE", "PEDIATRIC", "PEDIATRICS", "ONLY", "NP",
    "NEW",
  ]
}

/// Names with a hyphen, or an apostrophe, that is between blanks.
///
/// ```
/// OWUSU - ABROKWA, KOFI    OWUSU-ABROKWA, KOFI
/// SEAN O' DOHERTY          SEAN O'DOHERTY
/// Anna - Smith             as it is, where a name must be left beside those that are joined
/// ```
enum NameHyphen {
  /// Whether a text has a hyphen or an apostrophe beside a blank.
  static func isParted(_ text: Span<UInt8>) -> Bool {
    guard text.count > 2 else { return false }
    for place in 1..<(text.count - 1) where text[place] == ASCII.minus || text[place] == 0x27 {
      if text[place - 1] == 0x20 || text[place + 1] == 0x20 { return true }
    }
    return false
  }

  /// The text with such names in one word.
  ///
  /// `count`: how many names must be left beside one with a hyphen.
  static func joined(_ text: [UInt8], leaving count: Int = 0) -> [UInt8] {
    guard isParted(text.span) else { return text }
    var text = text
    var place = 1
    while place < text.count - 1 {
      defer { place += 1 }
      if text[place] == 0x27, text[place + 1] == 0x20, isAfterLetterAlone(text, place),
        place + 2 < text.count, LetterCase.isLetter(text[place + 2])
      {
        text.remove(at: place + 1)
      }
      guard text[place] == ASCII.minus else { continue }
      let before = text[..<place].lastIndex { $0 != 0x20 }
      let after = text[(place + 1)...].firstIndex { $0 != 0x20 }
      guard let before, let after, LetterCase.isLetter(text[before]), LetterCase.isLetter(text[after]),
        after - before > 2, isName(text, from: after), names(text) >= 2 + count
      else { continue }
      text.replaceSubrange((before + 1)..<after, with: [ASCII.minus])
      place = before + 1
    }
    return text
  }

  /// Whether one letter is before a place, as O is before its apostrophe.
  private static func isAfterLetterAlone(_ text: [UInt8], _ place: Int) -> Bool {
    LetterCase.isLetter(text[place - 1]) && (place == 1 || text[place - 2] == 0x20 || text[place - 2] == 0x2C)
  }

  /// How many words of a text are neither titles nor forms of address.
  private static func names(_ text: [UInt8]) -> Int {
    let words = text.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x3B }
    return words.count { word in
      word.contains { LetterCase.isLetter($0) } && isName(text, from: word.startIndex)
        && !NameWords.isAddress(text, word.indices)
    }
  }

  /// Whether the word at a place is a name, and no title or field of medicine.
  private static func isName(_ text: [UInt8], from place: Int) -> Bool {
    let end = text[place...].firstIndex { $0 == 0x20 || $0 == 0x2C || $0 == 0x3B } ?? text.count
    let word = place..<end
    let isTitle = Credential.isKnown(text, word) || NameSuffix.isSuffix(text.span, word) && word.count > 1
    return !isTitle && !NameWords.isOfProfession(text, word)
  }
}
