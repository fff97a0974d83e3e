/// How names in definitions are written, so that they fit file names, options and SQL unquoted.
package enum NameRule: String {
  /// Pipelines, sources, layouts, rules: `copied-localities`.
  case kebab = "lower-case letters, digits and dashes"
  /// Columns and parameters: `work_rvu`.
  case column = "lower-case letters, digits and underscores, 63 at most"
  /// Tables and views with their schema: `cms.rvu`.
  case qualified = "schema.name in lower-case letters, digits and underscores"

  /// Whether a text is such a name.
  package func allows(_ text: String) -> Bool {
    switch self {
    case .kebab: Self.word(text, with: "-")
    case .column: Self.word(text, with: "_") && text.utf8.count <= 63
    case .qualified:
      text.split(separator: ".", omittingEmptySubsequences: false).map(String.init).allSatisfy(
        Self.column.allows) && text.count { $0 == "." } == 1
    }
  }

  private static func word(_ text: String, with mark: Character) -> Bool {
    guard let first = text.first, first.isASCII, first.isLowercase else { return false }
    return text.allSatisfy { $0 == mark || ($0.isASCII && ($0.isLowercase || $0.isNumber)) }
  }

  /// Reports a mistake when a text is no such name.
  package func check(_ text: Marked<String>?, called what: String, in file: DefinitionFile) {
    guard let text, !allows(text.value) else { return }
    file.report("'\(text.value)' cannot be \(what)", at: text.mark, hint: "write \(rawValue)")
  }
}

/// Reports every text that was already there, such as a second source of the same name.
package func reportRepeats(_ texts: [Marked<String>], called what: String, in file: DefinitionFile) {
  var seen: [String: Mark] = [:]
  for text in texts {
    if let first = seen[text.value] {
      file.report("\(what) '\(text.value)' is already on line \(first.line)", at: text.mark)
    } else {
      seen[text.value] = text.mark
    }
  }
}
