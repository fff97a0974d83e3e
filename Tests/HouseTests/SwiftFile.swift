/// What one Swift file declares for others, and the names that it uses.
struct SwiftFile {
  /// The path below the module's folder: `Run/Step.swift`.
  let path: String
  /// The modules that it imports.
  private(set) var imports: Set<String> = []
  /// The names of the types and functions that other files of the module can use without a type before them.
  private(set) var declared: Set<String> = []
  /// The names of what its extensions add to types: nested types, methods, properties.
  private(set) var members: Set<String> = []
  /// All names that it declares, also those of no use to other files.
  private(set) var own: Set<String> = []
  /// The words that it uses without a point before them.
  private(set) var words: Set<String> = []
  /// The words that it uses after a point.
  private(set) var wordsAfterPoint: Set<String> = []

  /// Scans a file's text.
  init(path: String, text: String) {
    self.path = path
    var scan = Scan(tokens: SwiftTokens(text).tokens)
    while scan.next(into: &self) {}
  }

  /// The place in a file's tokens, and what encloses it.
  private struct Scan {
    let tokens: [SwiftTokens.Token]
    var index = 0
    /// For each brace that is open, whether it is that of an extension.
    var braces: [Bool] = []
    var opensExtension = false
    var isPrivate = false

    mutating func next(into file: inout SwiftFile) -> Bool {
      guard index < tokens.count else { return false }
      let token = tokens[index]
      index += 1
      guard token.isWord else {
        read(token.text)
        return true
      }
      switch token.text {
      case _ where token.followsPoint:
        file.wordsAfterPoint.insert(token.text)
      case "import":
        readImport(into: &file)
      case "private", "fileprivate":
        // `private(set)` hides only the writing.
        isPrivate = isPrivate || word(0) != "("
      case "extension":
        opensExtension = true
      case "struct", "class", "enum", "protocol", "actor", "typealias", "func", "var", "let", "case":
        readDeclaration(into: &file)
      default:
        file.words.insert(token.text)
      }
      return true
    }

    private func word(_ ahead: Int) -> String? {
      index + ahead < tokens.count ? tokens[index + ahead].text : nil
    }

    private mutating func read(_ symbol: String) {
      switch symbol {
      case "{":
        braces.append(opensExtension)
        opensExtension = false
        isPrivate = false
      case "}":
        _ = braces.popLast()
        isPrivate = false
      case "=", ";": isPrivate = false
      default: break
      }
    }

    /// `import A`, `import struct A.B`: the module is the first word that is no kind.
    private mutating func readImport(into file: inout SwiftFile) {
      let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
      while let word = word(0) {
        index += 1
        guard kinds.contains(word) else {
          file.imports.insert(word)
          return
        }
      }
    }

    private mutating func readDeclaration(into file: inout SwiftFile) {
      guard index < tokens.count, tokens[index].isWord, !SwiftFile.modifiers.contains(tokens[index].text)
      else {
        return
      }
      let name = tokens[index].text
      index += 1
      file.own.insert(name)
      defer { isPrivate = false }
      guard !isPrivate else { return }
      if braces.isEmpty {
        file.declared.insert(name)
      } else if braces == [true] {
        file.members.insert(name)
      }
    }
  }

  /// What may come between `class` and a name that it does not declare.
  private static let modifiers: Set = ["func", "var", "let", "override", "final", "private", "static"]
}
