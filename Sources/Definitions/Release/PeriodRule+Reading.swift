extension PeriodRule {
  /// Reads one recognizer, or a list of them.
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let nodes = if case .sequence(let items) = node.content { items } else { [node] }
    if nodes.isEmpty { file.report("'periods' is empty", at: node.mark) }
    (recognizers, wholes) = ([], [])
    for node in nodes {
      if case .mapping(let entries) = node.content, entries.contains(where: { $0.key == "holds" }) {
        if let whole = Whole(node, in: file) { wholes.append(whole) }
      } else if let recognizer = Recognizer(node, in: file) {
        recognizers.append(recognizer)
      }
    }
    if recognizers.isEmpty, !wholes.isEmpty { file.report("'periods' finds none", at: node.mark) }
  }

  /// A text with a day of the calendar, or with what makes one.
  fileprivate static func day(
    _ text: Marked<String>, of pattern: TextPattern?, in file: DefinitionFile
  ) -> GroupTemplate {
    if !text.value.contains("$"), !CalendarDay.isDay(text.value) {
      file.report("'\(text.value)' is no day of the calendar", at: text.mark, hint: "write YYYY-MM-DD")
    }
    return GroupTemplate(text, of: pattern, in: file)
  }
}

extension PeriodRule.Whole {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["in", "pattern", "holds"]
    guard let fields = Fields(node, of: "periods", keys: keys, in: file) else { return nil }
    fields.need("in")
    let place: PeriodRule.Place? = fields.choice("in", of: "place")
    let pattern = fields.needText("pattern").flatMap { TextPattern($0, in: file) }
    let until = fields.needText("holds").map { PeriodRule.day($0, of: pattern, in: file) }
    guard let place, let pattern, let until else { return nil }
    (self.place, self.pattern, self.until) = (place, pattern, until)
  }
}

extension PeriodRule.Recognizer {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["in", "pattern", "from", "to", "on"]
    guard let fields = Fields(node, of: "periods", keys: keys, in: file) else { return nil }
    fields.need("in")
    let place: PeriodRule.Place? = fields.choice("in", of: "place")
    let pattern = fields.needText("pattern").flatMap { TextPattern($0, in: file) }
    if fields.has("on") {
      for key in ["from", "to"] where fields.has(key) {
        file.report(
          "a period is 'on' one day, or 'from' one 'to' another", at: fields.mark(of: key),
          hint: "leave '\(key)' or 'on' out")
      }
    } else {
      fields.need("from")
      fields.need("to")
    }
    func day(_ key: String) -> GroupTemplate? {
      fields.text(key).map { PeriodRule.day($0, of: pattern, in: file) }
    }
    to = day("to")
    guard let from = day("from") ?? day("on"), let place, let pattern else { return nil }
    self.from = from
    self.place = place
    self.pattern = pattern
  }
}
