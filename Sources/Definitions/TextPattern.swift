/// A Swift regular expression kept as its text, compared without case, with ASCII digits for `\d`.
///
/// `Regex` itself cannot be handed between tasks; the pattern is compiled when it is used, which is once a
/// file.
public struct TextPattern: Sendable, Hashable {
  /// The pattern's text.
  public let text: String
  /// How many groups it captures.
  public let groupCount: Int

  /// Why a pattern does not compile.
  public struct Invalid: Error, Sendable {
    /// The compiler's words.
    public var reason: String
  }

  /// Compiles a pattern once to see that it is one.
  /// - Throws: ``Invalid``, what is wrong with the pattern.
  public init(_ text: String) throws(Invalid) {
    do {
      _ = try Regex(text)
      // An alternative that matches nothing shows the number of groups without a text that matches.
      let probe = try Regex("(?:\(text)\n)|").wholeMatch(in: "")
      groupCount = (probe?.output.count ?? 1) - 1
    } catch {
      throw Invalid(reason: "\(error)")
    }
    self.text = text
  }

  /// The groups of the first match anywhere in a text, by number; absent groups are empty.
  public func groups(in text: some StringProtocol) -> [String]? {
    guard let match = try? regex?.firstMatch(in: String(text)) else { return nil }
    return Self.groups(match)
  }

  /// The groups when the pattern matches the whole text.
  public func groups(whole text: some StringProtocol) -> [String]? {
    guard let match = try? regex?.wholeMatch(in: String(text)) else { return nil }
    return Self.groups(match)
  }

  /// A pattern that matches just this text.
  static func quoted(_ text: String) -> String {
    text.map { $0.isLetter || $0.isNumber ? "\($0)" : "\\\($0)" }.joined()
  }

  private var regex: Regex<AnyRegexOutput>? {
    (try? Regex(text))?.ignoresCase().asciiOnlyDigits()
  }

  private static func groups(_ match: Regex<AnyRegexOutput>.Match) -> [String] {
    match.output.map { $0.substring.map(String.init) ?? "" }
  }
}

/// A text with `$1` to `$9` for the groups of a pattern.
public struct GroupTemplate: Sendable, Hashable {
  /// The template's text.
  public let text: String

  /// A template; every text is one.
  public init(_ text: String) { self.text = text }

  /// The highest group that is named; 0 when none is.
  public var highestGroup: Int {
    pieces.map(\.group).max() ?? 0
  }

  /// The text with groups in their places.
  /// - Parameter groups: as ``TextPattern/groups(in:)`` gives them; a group beyond them is empty.
  /// - Returns: the text.
  public func filled(_ groups: [String]) -> String {
    pieces.map { piece in
      piece.group == 0 ? piece.text : (piece.group < groups.count ? groups[piece.group] : "")
    }.joined()
  }

  private var pieces: [(text: String, group: Int)] {
    var pieces: [(text: String, group: Int)] = []
    var plain = ""
    var rest = text[...]
    while let letter = rest.popFirst() {
      if letter == "$", let digit = rest.first?.wholeNumberValue, (1...9).contains(digit) {
        pieces.append((plain, 0))
        pieces.append(("", digit))
        plain = ""
        rest.removeFirst()
      } else {
        plain.append(letter)
      }
    }
    pieces.append((plain, 0))
    return pieces
  }
}

extension TextPattern {
  init?(_ text: Marked<String>, in file: DefinitionFile) {
    do {
      try self.init(text.value)
    } catch {
      file.report("the pattern is not a regular expression: \(error.reason)", at: text.mark)
      return nil
    }
  }
}

extension GroupTemplate {
  init(_ text: Marked<String>, of pattern: TextPattern?, in file: DefinitionFile) {
    self.init(text.value)
    if let pattern, highestGroup > pattern.groupCount {
      let has = pattern.groupCount == 1 ? "1 group" : "\(pattern.groupCount) groups"
      file.report(
        "'$\(highestGroup)' names a group that the pattern does not have", at: text.mark,
        hint: "it has \(has)")
    }
  }
}
