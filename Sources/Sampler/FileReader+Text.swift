import Definitions

extension FileReader {
  /// The key `txt` of a file: what its fixed-width form has besides the rows.
  func textForm(_ node: YAMLNode) -> (form: SampleFile.TextForm, places: [String: ClosedRange<Int>])? {
    let keys = ["before", "after", "places", "length"]
    guard let fields = Fields(node, of: "txt", keys: keys, in: file) else { return nil }
    var places: [String: ClosedRange<Int>] = [:]
    for entry in fields.mapping("places") ?? [] {
      places[entry.key] = fields.text(entry.value, called: "'\(entry.key)'").flatMap(place)
    }
    return (
      SampleFile.TextForm(
        before: lines("before", fields), after: lines("after", fields), length: fields.count("length") ?? 0),
      places
    )
  }

  private func lines(_ key: String, _ fields: Fields) -> [TextTemplate] {
    (fields.list(key) ?? []).map { node in
      guard case .scalar(let text, _) = node.content else {
        file.report("a line is a text", at: node.mark)
        return TextTemplate("")
      }
      return template(Marked(text, at: node.mark))
    }
  }
}

extension SampleFile.TextForm {
  /// The form with what the layout says of its records.
  func completed(by layout: FixedWidthForm?) -> Self {
    var form = self
    guard let layout else { return form }
    if form.length == 0 { form.length = layout.length.lowerBound }
    form.greatestLength = layout.length.upperBound
    if layout.hasPreamble { form.bannerMark = "" }
    for case .startsWith(let text) in layout.skips.map(\.condition) { form.bannerMark = text }
    return form
  }
}
