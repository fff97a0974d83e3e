/// The keys of one mapping, read strictly: a key that is not known, or not of its kind, is a mistake.
package struct Fields {
  /// Where the mapping begins.
  package let mark: Mark
  private let what: String
  private let file: DefinitionFile
  private let entries: [String: YAMLNode.Entry]

  /// Takes a mapping apart; nil, with a mistake reported, when the node is something else.
  /// - Parameters:
  ///   - node: the mapping.
  ///   - what: what the mapping defines, such as `a column`.
  ///   - keys: the keys that it may have.
  ///   - file: gets what is wrong with it.
  package init?(_ node: YAMLNode, of what: String, keys: [String], in file: DefinitionFile) {
    guard case .mapping(let list) = node.content else {
      file.report("\(what) must be a mapping with keys, found \(node.kind)", at: node.mark)
      return nil
    }
    for entry in list where !keys.contains(entry.key) {
      let key = Marked(entry.key, at: entry.mark)
      file.report("unknown key '\(key.value)'", of: key, among: keys, called: "\(what) has the keys")
    }
    mark = node.mark
    self.what = what
    self.file = file
    entries = Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
  }

  /// The place of a key, or of the mapping where it is absent.
  package func mark(of key: String) -> Mark { entries[key]?.mark ?? mark }

  /// Whether the key is written.
  package func has(_ key: String) -> Bool { entries[key] != nil }

  /// What is written under a key; nil when it is absent or nothing follows it (a mistake).
  package func node(_ key: String) -> YAMLNode? {
    guard let entry = entries[key] else { return nil }
    if entry.value.isEmpty {
      file.report("the key '\(key)' has no value", at: entry.mark)
      return nil
    }
    return entry.value
  }

  /// Reports the absence of a key that must be there.
  package func need(_ key: String) {
    if !has(key) { file.report("\(what) needs the key '\(key)'", at: mark) }
  }

  /// The text under a key.
  package func text(_ key: String) -> Marked<String>? {
    node(key).flatMap { text($0, called: "'\(key)'") }
  }

  /// The text under a key that must be there.
  package func needText(_ key: String) -> Marked<String>? {
    need(key)
    return text(key)
  }

  /// The texts of a list, or the one text that is in its place.
  package func texts(_ key: String) -> [Marked<String>]? {
    guard let node = node(key) else { return nil }
    if case .sequence(let items) = node.content {
      if items.isEmpty { file.report("'\(key)' is empty", at: mark(of: key)) }
      return items.compactMap { text($0, called: "an item of '\(key)'") }
    }
    return text(node, called: "'\(key)'").map { [$0] }
  }

  /// The items of a list; nil when the key is absent or is no list (a mistake).
  package func list(_ key: String) -> [YAMLNode]? {
    guard let node = node(key) else { return nil }
    guard case .sequence(let items) = node.content else {
      file.report("'\(key)' must be a list, found \(node.kind)", at: node.mark)
      return nil
    }
    return items
  }

  /// The items of a list that must be there and hold something.
  package func needList(_ key: String) -> [YAMLNode] {
    need(key)
    guard let items = list(key) else { return [] }
    if items.isEmpty { file.report("'\(key)' is empty", at: mark(of: key)) }
    return items
  }

  /// The keys and values of a mapping; nil when the key is absent or is no mapping (a mistake).
  package func mapping(_ key: String) -> [YAMLNode.Entry]? {
    guard let node = node(key) else { return nil }
    guard case .mapping(let entries) = node.content else {
      file.report("'\(key)' must be a mapping with keys, found \(node.kind)", at: node.mark)
      return nil
    }
    return entries
  }

  /// `true` or `false`; false when absent.
  package func flag(_ key: String) -> Bool {
    guard let text = text(key) else { return false }
    if text.value != "true", text.value != "false" {
      file.report("'\(key)' must be true or false, found '\(text.value)'", at: text.mark)
    }
    return text.value == "true"
  }

  /// A whole number that is not negative.
  package func count(_ key: String) -> Int? {
    guard let text = text(key) else { return nil }
    guard let number = Int(text.value), number >= 0 else {
      file.report("'\(key)' must be a whole number, found '\(text.value)'", at: text.mark)
      return nil
    }
    return number
  }

  /// A span of time, such as `90s`, `30m`, `24h` or `7d`.
  package func duration(_ key: String) -> Duration? {
    guard let text = text(key) else { return nil }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    // A thousand years fit into any clock.
    guard let unit = text.value.last.flatMap({ units[$0] }), let number = Int64(text.value.dropLast()),
      (1...366_000).contains(number)
    else {
      file.report(
        "'\(key)' must be a span of time, found '\(text.value)'", at: text.mark,
        hint: "write a number and s, m, h or d, such as 24h")
      return nil
    }
    return .seconds(number * unit)
  }

  /// An amount of bytes, such as `500 MB`.
  package func bytes(_ key: String) -> Int? {
    guard let text = text(key) else { return nil }
    let units = ["kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000]
    guard let unit = units[String(text.value.suffix(2))],
      let number = Int(text.value.dropLast(2).filter { $0 != " " }), (1...999_999).contains(number)
    else {
      file.report(
        "'\(key)' must be an amount of bytes, found '\(text.value)'", at: text.mark,
        hint: "write a whole number and kB, MB, GB or TB, such as 500 MB")
      return nil
    }
    return number * unit
  }

  /// A share such as `30%`, from 0 to 1.
  package func share(_ key: String) -> Double? {
    guard let text = text(key) else { return nil }
    guard text.value.hasSuffix("%"), let percent = Double(text.value.dropLast()), (0...100).contains(percent)
    else {
      file.report("'\(key)' must be a share such as 30%, found '\(text.value)'", at: text.mark)
      return nil
    }
    return percent / 100
  }

  /// One of the known names, such as a severity; nil when absent or unknown (a mistake).
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of what: String, among known: [Choice] = Array(Choice.allCases)
  ) -> Choice? where Choice.RawValue == String {
    text(key).flatMap { choice($0, of: what, among: known) }
  }

  /// The known name that a text is; nil, with a mistake reported, when it is none.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ text: Marked<String>, of what: String, among known: [Choice] = Array(Choice.allCases)
  ) -> Choice? where Choice.RawValue == String {
    if let choice = known.first(where: { $0.rawValue == text.value }) { return choice }
    file.report("unknown \(what) '\(text.value)'", of: text, among: known.map(\.rawValue), called: "known")
    return nil
  }

  /// The texts of a mapping by its keys; what is no text is a mistake.
  package func textMapping(_ key: String) -> [String: String] {
    var texts: [String: String] = [:]
    for entry in mapping(key) ?? [] { texts[entry.key] = text(entry.value, called: "'\(entry.key)'")?.value }
    return texts
  }

  /// The text that a node is; nil, with a mistake reported, when it is something else.
  package func text(_ node: YAMLNode, called name: String) -> Marked<String>? {
    guard case .scalar(let text, _) = node.content, !node.isEmpty else {
      file.report("\(name) must be a text, found \(node.kind)", at: node.mark)
      return nil
    }
    return Marked(text, at: node.mark)
  }
}
