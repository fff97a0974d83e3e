/// A pattern of file names: `*` means any text, `?` one letter; letter case does not count.
public struct Glob: Sendable, Hashable {
  /// The pattern's text.
  public let text: String
  private let letters: [Character]

  /// A pattern; nil when it is empty or has a slash, as only the last component of a path is compared.
  public init?(_ text: String) {
    guard !text.isEmpty, !text.contains("/") else { return nil }
    self.text = text
    letters = Array(text.lowercased())
  }

  /// Any name.
  static let any = Glob(letters: ["*"])

  private init(letters: [Character]) { (text, self.letters) = (String(letters), letters) }

  /// Whether the last component of a path fits the pattern.
  public func matches(_ path: String) -> Bool {
    let name = Array((path.split(separator: "/").last ?? "").lowercased())
    var place = 0
    var letter = 0
    var star: (letter: Int, place: Int)?
    while place < name.count {
      if letter < letters.count, letters[letter] == "*" {
        star = (letter, place)
        letter += 1
      } else if letter < letters.count, letters[letter] == "?" || letters[letter] == name[place] {
        letter += 1
        place += 1
      } else if let last = star {
        // The star takes one letter more, and what follows it is tried again.
        star = (last.letter, last.place + 1)
        letter = last.letter + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return letters[letter...].allSatisfy { $0 == "*" }
  }
}

extension Glob {
  /// A pattern; nil, with a mistake reported, where a text is none.
  init?(
    _ text: Marked<String>, of names: String = "entry names",
    hint: String = "only the last part of a path is compared: write it without '/'", in file: DefinitionFile
  ) {
    guard let glob = Glob(text.value) else {
      file.report("'\(text.value)' is no pattern of \(names)", at: text.mark, hint: hint)
      return nil
    }
    self = glob
  }
}
