import Values

extension LayoutColumn {
  /// What is asked of its values beside their type, each in a few words, such as `not blank`.
  public var asked: [String] {
    var parts: [String] = []
    if isRequired { parts.append("not blank") }
    if let width { parts.append("\(width)") }
    if let range { parts.append(range.description) }
    if !oneOf.isEmpty { parts.append("one of \(oneOf.joined(separator: ", "))") }
    if !words.isEmpty, words[Self.anyOther] == nil {
      parts.append("one of \(words.keys.sorted().joined(separator: ", "))")
    }
    if !matches.isEmpty { parts.append(matches.map { "`\($0.text)`" }.joined(separator: " or ")) }
    if let oddForm { parts.append("or `\(oddForm.text)`, with a warning") }
    if let list { parts.append("in the list \(list), else a warning") }
    return parts
  }

  /// What becomes of a value that is not as it must be.
  public var otherwise: String {
    blanksInvalid
      ? "it is left blank, with a warning"
      : keepsInvalid ? "it stays a text" : "its record is rejected"
  }
}
