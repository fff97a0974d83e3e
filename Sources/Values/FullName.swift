/// A part of a name that is in one field.
public enum NamePart: String, CaseIterable, Sendable {
  case last, first, middle, suffix, credential
  /// The whole name where it is that of an organisation, see ``OrganizationName``; blank where it is a person's.
  case organization
  /// `organization` or `individual`: whose name it is.
  case entity

  /// Whether it is a part of a person's name.
  public var isPersonal: Bool { self != .organization && self != .entity }
}

/// Names of people that are in one field, taken apart.
///
/// ```
/// Dr. Anna B. Smith, MD                first Anna, middle B., last Smith, credential MD
/// SMITH JR, ANNA B                     first Anna, middle B, last Smith, suffix Jr.
/// Smith, Jr., Anna, Nurse Practitioner first Anna, last Smith, suffix Jr., credential Nurse Practitioner
/// Jan van der Voort III                first Jan, last van der Voort, suffix III
/// Smith                                last Smith
/// William (Bill) Smith, MD (retired)   first William, middle (Bill), last Smith, credential MD, RETIRED
/// N/A  none  --                        nobody: every part is blank
/// ```
///
/// What is before the first comma is the last name, unless what follows is behind names; without a comma it
/// is the last word, with the particles before it. Nobody can tell `Anna Maria Garcia Lopez` from that: her
/// middle name is Maria Garcia. ``NameWords`` says which words are what.
struct FullName {
  private var last: [Range<Int>] = []
  private var given: [Range<Int>] = []
  private var suffix: Range<Int>?
  private var credentials: [Range<Int>] = []
  private let words: NameWords
  private let asides: NameAsides

  /// A part of a name in its usual spelling; blank where the name has none.
  static func part(
    _ part: NamePart, _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding,
    _ scratch: inout [UInt8]
  ) -> Normalised {
    TextNormalisation.onLine(field, range, encoding, &scratch) { text, scratch in
      let isNobody = Placeholder.isMark(text.span) || Placeholder.isWord(text.span)
      if isNobody { return .blank }
      switch part {
      case .organization:
        guard OrganizationName.isOne(text.span) else { return .blank }
        return NameCase.copied(text, &scratch) {
          NameCase.organization($0, text.indices, .utf8, &$1)
        }
      case .entity:
        scratch.replace(with: OrganizationName.isOne(text.span) ? "organization" : "individual")
        return .scratch
      default: return FullName(text).write(part, &scratch)
      }
    }
  }

  private init(_ text: [UInt8]) {
    asides = NameAsides(text)
    words = NameWords(NameHyphen.joined(asides.name, leaving: 1))
    var parts = words.parts
    guard var first = parts.first else { return }
    parts.removeFirst()
    let isAddressed = takeAddress(&first, leaving: 1)
    takeSuffixes(&parts, behind: first)
    guard let next = parts.first, !words.isBehind(next, names(in: first), others: parts.dropFirst())
    else {
      readInOrder(first, parts, isAddressed: isAddressed)
      return
    }
    takeTitles(&first, leaving: 1, numerals: true)
    last = first
    var names = parts.removeFirst()
    _ = takeAddress(&names, leaving: 1)
    while names.count > 1, suffix == nil, words.isSuffix(names[0]) { suffix = names.removeFirst() }
    takeTitles(&names, leaving: 1, numerals: false)
    // Anna, B., MD
    if names.count == 1, let middle = parts.first, middle.count == 1, words.isInitial(middle[0]) {
      names += parts.removeFirst()
    }
    given = names
    for part in parts { take(titles: part) }
  }

  /// Reads a name that begins with the first one, and what is behind its commas.
  private mutating func readInOrder(_ name: [Range<Int>], _ parts: [[Range<Int>]], isAddressed: Bool) {
    var name = name
    // With a credential behind a comma what could be one before it is a name: Lin Ma, MD.
    let isTitled = parts.contains { $0.allSatisfy(words.isTitle) }
    takeTitles(&name, leaving: isAddressed ? 1 : 2, numerals: true, sparesNames: isTitled)
    var start = max(name.count - 1, 0)
    while start > 1, words.isParticle(name[start - 1]) { start -= 1 }
    if start > 1, words.isIrish(name[start - 1], before: name[start]) { start -= 1 }
    if start > 2, words.isLink(name[start - 1]) {
      start -= 2
      while start > 1, words.isParticle(name[start - 1]) { start -= 1 }
    }
    (given, last) = (Array(name[..<start]), Array(name[start...]))
    // Behind a comma is what is behind a name, known or not.
    for part in parts { take(titles: part) }
  }

  /// The words that are left of a name without what is behind it.
  private func names(in part: [Range<Int>]) -> [Range<Int>] {
    var names = part
    while names.count > 1, let word = names.last, words.isTitle(word) || words.isNumeral(word) {
      names.removeLast()
    }
    return names
  }

  /// Takes what people are called before their names from the beginning of some words.
  private func takeAddress(_ part: inout [Range<Int>], leaving count: Int) -> Bool {
    let all = part.count
    while part.count > count, words.isAddress(part[0]) { part.removeFirst() }
    return part.count < all
  }

  /// Takes parts that are suffixes and nothing else: Smith, Jr., Anna.
  private mutating func takeSuffixes(_ parts: inout [[Range<Int>]], behind name: [Range<Int>]) {
    while let part = parts.first, part.count == 1, suffix == nil {
      // Behind a last name alone a letter is an initial.
      guard words.isSuffix(part[0]) || name.count > 1 && words.isNumeral(part[0]) else { return }
      suffix = part[0]
      parts.removeFirst()
    }
  }

  /// Takes suffixes and credentials from the end of some words.
  ///
  /// - `numerals`: whether a letter at the end is a number: John Smith V, and not Smith, John V.
  /// - `sparesNames`: whether a word that could be a name is one.
  private mutating func takeTitles(
    _ part: inout [Range<Int>], leaving count: Int, numerals: Bool, sparesNames: Bool = false
  ) {
    var titles: [Range<Int>] = []
    while part.count > 1, let word = part.last {
      // Smith MD has no first name, and Anna Do no credential.
      let least = words.isUnmistakable(word) ? 1 : count
      if part.count > least, words.isTitle(word), !sparesNames || !words.mayBeName(word) {
        titles.insert(word, at: 0)
        part.removeLast()
      } else if numerals, part.count > count, words.isNumeral(word) {
        titles.insert(word, at: 0)
        part.removeLast()
      } else if part.count > count, words.isAddress(word) {
        part.removeLast()
      } else if numerals, let parted = words.partedCredential(at: part, leaving: count) {
        titles.insert(parted, at: 0)
        while let word = part.last, word.lowerBound >= parted.lowerBound { part.removeLast() }
      } else {
        break
      }
    }
    // Anna B Do: nobody is called by an initial last.
    if numerals, part.count > 1, let name = part.last, words.isInitial(name), let title = titles.first,
      words.mayBeName(title)
    {
      part.append(titles.removeFirst())
    }
    for title in titles { take(title: title) }
  }

  private mutating func take(title word: Range<Int>) {
    if suffix == nil, words.isSuffix(word) || words.isNumeral(word) {
      suffix = word
    } else {
      credentials.append(word)
    }
  }

  /// Takes what is between two commas: as one credential where it is words or is written with blanks.
  private mutating func take(titles part: [Range<Int>]) {
    if let whole = words.whole(part) {
      credentials.append(whole)
      return
    }
    for word in part where !words.isAddress(word) || words.isTitle(word) { take(title: word) }
  }

  private func write(_ part: NamePart, _ scratch: inout [UInt8]) -> Normalised {
    let places: [Range<Int>] =
      switch part {
      case .last: last
      case .first: Array(given.prefix(1))
      case .middle: Array(given.dropFirst())
      case .suffix: suffix.map { [$0] } ?? []
      case .credential: credentials
      case .organization, .entity: []
      }
    let text = words.text
    let separator: [UInt8] = part == .credential ? [0x2C, 0x20] : [0x20]
    let others = part == .middle ? asides.nicknames : part == .credential ? asides.remarks : []
    let value = Array((places.map { Array(text[$0]) } + others).joined(separator: separator))
    guard !value.isEmpty else { return .blank }
    let whole = 0..<value.count
    switch part {
    case .suffix: return NameCase.copied(value, &scratch) { NameSuffix.suffix($0, whole, .utf8, &$1) }
    case .credential: return NameCase.copied(value, &scratch) { Credential.list($0, whole, .utf8, &$1) }
    case .last, .first, .middle, .organization, .entity:
      // JP Smith: two capitals of a name that has small letters too are initials.
      let isPlain = value.count > 3 || words.isUniform || LetterCase.hasSmall(value.span)
      return NameCase.copied(value, &scratch) {
        (isPlain ? NameCase.person : TextNormalisation.line)($0, whole, .utf8, &$1)
      }
    }
  }
}
