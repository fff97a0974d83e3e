/// What is behind a name, in one field: a suffix, and degrees and licences.
///
/// ```
/// MD             credential MD
/// Jr. MD         suffix Jr., credential MD
/// III, PhD, MPH  suffix III, credential PhD, MPH
/// of Padua       suffix of Padua: what is neither is kept where it was
/// ```
public enum NameTitles {
  /// A part of what is behind a name.
  public enum Part: String, CaseIterable, Sendable {
    case suffix, credential
  }

  /// A part in its usual spelling; blank where there is none.
  static func part(
    _ part: Part, _ field: Span<UInt8>, _ range: Range<Int>, _ encoding: TextEncoding,
    _ scratch: inout [UInt8]
  ) -> Normalised {
    TextNormalisation.onLine(field, range, encoding, &scratch) { text, scratch in
      scratch.removeAll(keepingCapacity: true)
      let titles = titles(of: text)
      for title in titles where isCredential(text, title) == (part == .credential) {
        if !scratch.isEmpty { scratch += [0x2C, 0x20] }
        scratch += text[title]
      }
      guard !scratch.isEmpty else { return .blank }
      let whole = scratch.indices
      return NameCase.copied(scratch, &scratch) {
        part == .suffix
          ? NameSuffix.suffix($0, whole, .utf8, &$1) : Credential.list($0, whole, .utf8, &$1)
      }
    }
  }

  /// What is between commas, each as a whole where it is one credential or one suffix or words; by its words where
  /// each of these is one of both.
  private static func titles(of text: [UInt8]) -> [Range<Int>] {
    text.split { $0 == 0x2C || $0 == 0x3B }.flatMap { part -> [Range<Int>] in
      let inner = text.span.extracting(part.indices).trimmed()
      let whole = (part.startIndex + inner.lowerBound)..<(part.startIndex + inner.upperBound)
      if whole.isEmpty { return [] }
      let words = text[whole].split(separator: 0x20).map(\.indices)
      let isEach = words.allSatisfy { NameSuffix.isSuffix(text.span, $0) || isCredential(text, $0) }
      return isEach && !isCredential(text, whole) ? words : [whole]
    }
  }

  /// Whether a place holds a credential that is known, or capitals without a vowel, and no suffix.
  private static func isCredential(_ text: [UInt8], _ title: Range<Int>) -> Bool {
    if NameSuffix.isSuffix(text.span, title) { return false }
    if Credential.isKnown(text, title) { return true }
    let letters = title.filter { text[$0] != ASCII.point && text[$0] != ASCII.minus }
    return letters.count > 1
      && letters.allSatisfy { ASCII.isUpper(text[$0]) && !NameCase.vowels.contains(text[$0]) }
  }
}
