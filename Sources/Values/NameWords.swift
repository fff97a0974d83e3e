/// The words of a name in one field, and what each of them can be.
struct NameWords {
  let text: [UInt8]
  /// What is between commas and semicolons: the words of each, those left out that have neither letter nor
  /// digit.
  let parts: [[Range<Int>]]
  /// Whether the names have letters of one case only; how titles are written says nothing of them.
  let isUniform: Bool

  init(_ text: [UInt8]) {
    self.text = text
    let parts = text.split { $0 == 0x2C || $0 == 0x3B }.map { part in
      part.split(separator: 0x20).map(\.indices).filter { !Placeholder.isMark(text.span.extracting($0)) }
    }
    self.parts = parts.filter { !$0.isEmpty }
    var names: [UInt8] = []
    for word in self.parts.joined()
    where !Self.isAddress(text, word) && !NameSuffix.isSuffix(text.span, word)
      && !Credential.isKnown(text, word)
    {
      names += text[word]
    }
    isUniform = LetterCase.isUniform((names.isEmpty ? text : names).span)
  }

  /// Whether a word is what people are called before their names.
  func isAddress(_ word: Range<Int>) -> Bool { Self.isAddress(text, word) }

  /// Whether a word is a suffix, and nothing else: not a letter.
  func isSuffix(_ word: Range<Int>) -> Bool {
    !isInitial(word) && NameSuffix.isSuffix(text.span, word)
  }

  /// Whether a word is a letter that is a number, too: I, V or X.
  func isNumeral(_ word: Range<Int>) -> Bool {
    word.count == 1 && NameSuffix.isSuffix(text.span, word)
  }

  /// Whether a word is one letter, with or without a point.
  func isInitial(_ word: Range<Int>) -> Bool {
    let letter = text[word.upperBound - 1] == ASCII.point ? word.dropLast() : word
    guard let first = letter.first, LetterCase.isLetter(text[first]) else { return false }
    return letter.dropFirst().allSatisfy { text[$0] & 0xC0 == 0x80 }
  }

  /// Whether a word is a suffix or a credential; in a name that is written in capitals and small letters `Do`
  /// is neither.
  func isTitle(_ word: Range<Int>) -> Bool {
    isSuffix(word) || Credential.isKnown(text, word) && (isUniform || !mayBeName(word))
  }

  /// Whether a title is one even where but one other word is there.
  func isUnmistakable(_ word: Range<Int>) -> Bool { isTitle(word) && !mayBeName(word) }

  /// Whether a credential may as well be a name: by its letters, and by their case where that says anything.
  func mayBeName(_ word: Range<Int>) -> Bool {
    text.span.isAmong(Self.names, word) && (isUniform || LetterCase.hasSmall(text.span.extracting(word)))
  }

  /// Whether a word may be between the first names and the last one.
  func isParticle(_ word: Range<Int>) -> Bool {
    word.count > 1
      && (text.span.isAmong(NameCase.particles, word) || text.span.isAmong(Self.beginnings, word))
  }

  /// Whether a word ties two last names, as in Ortega y Gasset; in capitals it is an initial.
  func isLink(_ word: Range<Int>) -> Bool {
    word.count == 1 && !isUniform
      && (text[word.lowerBound] == UInt8(ascii: "y") || text[word.lowerBound] == UInt8(ascii: "e"))
  }

  /// Whether a letter is the O of an Irish name that is written without its apostrophe, and no initial.
  func isIrish(_ word: Range<Int>, before name: Range<Int>) -> Bool {
    text.span.isAmong(["O"], word) && text.span.isAmong(Self.irish, name)
  }

  /// Whether what is behind a comma is behind a whole name, and is no first name.
  ///
  /// - `names`: the words before the comma, without titles.
  /// - `others`: what is behind further commas.
  func isBehind(_ part: [Range<Int>], _ names: [Range<Int>], others: ArraySlice<[Range<Int>]>) -> Bool {
    // No last name has an initial within it.
    if whole(part) != nil || names.dropFirst().dropLast().contains(where: isInitial) { return true }
    if part.allSatisfy(isTitle) {
      // Nguyen, Do, MD has three parts, and Smith, DO two.
      let isGiven = names.count == 1 && part.count == 1 && mayBeName(part[0])
      return !isGiven || !others.contains { $0.allSatisfy(isTitle) }
    }
    // A first and a last name are there, so that what has no vowel is no third.
    guard names.count > 1, !isParticle(names[0]) else { return false }
    return part.allSatisfy { isTitle($0) || isAbbreviation($0) }
  }

  /// The place of what is between commas where it is one credential: words such as Nurse Practitioner, or
  /// letters with blanks between.
  func whole(_ part: [Range<Int>]) -> Range<Int>? {
    guard let first = part.first, let last = part.last else { return nil }
    let whole = first.lowerBound..<last.upperBound
    let isWritten =
      part.contains { text.span.isAmong(Self.professions, $0) }
      || part.count > 2 && text.span.isAmong(["DOCTOR", "MASTER", "BACHELOR"], first)
        && text.span.isAmong(["OF"], part[1])
    return isWritten || part.count > 1 && Credential.isKnown(text, whole) ? whole : nil
  }

  /// The credential at the end of some words that is written with blanks in it, as `M. D.` is.
  func partedCredential(at part: [Range<Int>], leaving count: Int) -> Range<Int>? {
    for size in [3, 2] where part.count >= count + size {
      guard let last = part.last, isInitial(last) else { return nil }
      let whole = part[part.count - size].lowerBound..<last.upperBound
      if Credential.isKnown(text, whole) { return whole }
    }
    return nil
  }

  /// Whether a word has two letters or more and no vowel among them, or three with points between, or a
  /// digit.
  private func isAbbreviation(_ word: Range<Int>) -> Bool {
    var (letters, vowels, points) = (0, 0, 0)
    for place in word {
      let byte = ASCII.upper(text[place])
      if ASCII.isDigit(byte) { return true }
      if byte == ASCII.point, place < word.upperBound - 1 { points += 1 }
      guard LetterCase.isLetter(byte) else { continue }
      letters += 1
      if byte >= 0x80 || NameCase.vowels.contains(byte) { vowels += 1 }
    }
    return letters > 1 && vowels == 0 || points > 1
  }

  /// Whether a word says what people are by profession, or of which field of medicine.
  static func isOfProfession(_ text: [UInt8], _ word: Range<Int>) -> Bool {
    text.span.isAmong(professions, word)
      || fields.contains { ending in
        let start = word.upperBound - ending.utf8CodeUnitCount
        return start > word.lowerBound && text.span.isWord(ending, at: start..<word.upperBound)
      }
  }

  /// How fields of medicine end.
  private static let fields: [StaticString] = [
    "OLOGY", "IATRICS", "IATRY", "ICINE", "SURGERY", "PRACTICE", "GRAPHY",
  ]

  static func isAddress(_ text: [UInt8], _ word: Range<Int>) -> Bool {
    text.span.isAmong(addresses, word)
  }

  private static let addresses: [StaticString] = [
    "DR", "DR.", "MR", "MR.", "MRS", "MRS.", "MS", "MS.", "MISS", "PROF", "PROF.", "DOCTOR", "PROFESSOR",
  ]

  /// Credentials that are names of people, too.
  private static let names: [StaticString] = ["AUD", "BA", "DO", "LAC", "LAT", "MA", "PA"]

  /// What a last name begins with that is written with a capital.
  private static let beginnings: [StaticString] = ["ABU", "AL", "DELA", "EL", "ST", "ST.", "STE", "STE."]

  /// Names that are seldom without an O before them.
  private static let irish: [StaticString] = [
    "BRIEN", "BRYAN", "BYRNE", "CALLAGHAN", "CONNELL", "CONNER", "CONNOR", "DAY", "DEA", "DELL", "DOHERTY",
    "DONNELL",
    "DONOGHUE", "DONOHUE", "DONOVAN", "DOWD", "DRISCOLL", "DWYER", "FARRELL", "FLAHERTY", "FLYNN", "GARA",
    "GORMAN",
    "GRADY", "HAGAN", "HALLORAN", "HANLON", "HARA", "HARE", "HERN", "KANE", "KEEFE", "KEEFFE", "KELLY",
    "LAUGHLIN",
    "LEARY", "LOUGHLIN", "MALLEY", "MARA", "MEARA", "MAHONEY", "MAHONY", "NEAL", "NEIL", "NEILL",
    "QUINN",
    "REGAN", "REILLY", "RILEY", "ROURKE", "RORKE", "SHAUGHNESSY", "SHEA", "SULLIVAN", "TOOLE",
  ]

  /// Words of what people are by profession: nobody has one of them for a first name.
  private static let professions: [StaticString] = [
    "ACUPUNCTURIST", "ANESTHESIOLOGIST", "ANESTHETIST", "ASSISTANT", "AUDIOLOGIST", "CHIROPRACTIC",
    "CHIROPRACTOR", "CLINICIAN", "COUNSELOR", "DENTAL", "DENTIST", "DENTISTRY", "DIETICIAN", "DIETITIAN",
    "HYGIENIST", "LICENSED", "MEDICAL", "MEDICINE", "MIDWIFE", "NURSE", "NURSING", "NUTRITIONIST",
    "OCCUPATIONAL", "OPTICIAN", "OPTOMETRIST", "OPTOMETRY", "OSTEOPATH", "OSTEOPATHIC", "OSTEOPATHY",
    "PATHOLOGIST", "PHARMACIST", "PHARMACY", "PHYSICIAN", "PODIATRIC", "PODIATRIST", "PODIATRY",
    "PRACTITIONER", "PSYCHIATRIST", "PSYCHOLOGIST", "PSYCHOLOGY", "REGISTERED", "SURGEON", "SURGERY",
    "TECHNICIAN", "TECHNOLOGIST", "THERAPIST", "THERAPY",
  ]
}
