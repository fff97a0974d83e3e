import Values

extension ReleaseRule {
  fileprivate enum PlaceName: String, CaseIterable {
    case archiveName = "archive-name"
    case entryName = "entry-name"
    case entryNames = "entry-names"
    case banner
  }

  init?(_ node: YAMLNode, sources: [String], in file: DefinitionFile) {
    let keys = ["case", "from", "effective", "correction", "series"]
    guard let fields = Fields(node, of: "release", keys: keys, in: file) else { return nil }
    recognizers = fields.needList("from").compactMap { Recognizer($0, sources: sources, in: file) }
    effects = fields.needList("effective").compactMap { Effect($0, in: file) }
    letterCase = fields.choice("case", of: "letter case") ?? .upper
    correction = fields.text("correction").flatMap { TextPattern($0, in: file) }
    series = fields.text("series").flatMap { TextPattern($0, in: file) }
  }
}

extension ReleaseRule.Recognizer {
  init?(_ node: YAMLNode, sources: [String], in file: DefinitionFile) {
    let keys = ["in", "source", "pattern", "name", "words"]
    guard let fields = Fields(node, of: "an entry of release.from", keys: keys, in: file) else { return nil }
    fields.need("in")
    let placeName: ReleaseRule.PlaceName? = fields.choice("in", of: "place")
    let source = fields.text("source")
    if let source, !sources.contains(source.value) {
      file.report("unknown source '\(source.value)'", of: source, among: sources, called: "known")
    }
    if placeName == .banner || placeName == .entryName { fields.need("source") }
    if placeName == .archiveName || placeName == .entryNames, let source {
      let what = placeName == .archiveName ? "an archive's name belongs" : "the names of all entries belong"
      file.report("\(what) to no source", at: source.mark, hint: "take 'source' out")
    }
    let pattern = fields.needText("pattern").flatMap { TextPattern($0, in: file) }
    let name = fields.needText("name").map { GroupTemplate($0, of: pattern, in: file) }
    words = fields.textMapping("words")
    guard let placeName, let pattern, let name else { return nil }
    self.pattern = pattern
    self.name = name
    switch placeName {
    case .archiveName: place = .archiveName
    case .entryNames: place = .entryNames
    case .entryName: place = .entryName(source: source?.value ?? "")
    case .banner: place = .banner(source: source?.value ?? "")
    }
  }
}

extension ReleaseRule.Effect {
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    let keys = ["pattern", "from", "to"]
    guard let fields = Fields(node, of: "an entry of release.effective", keys: keys, in: file) else {
      return nil
    }
    let pattern = fields.needText("pattern").flatMap { TextPattern($0, in: file) }
    let from = fields.needText("from")
    let to = fields.text("to")
    for day in [from, to].compactMap(\.self) where !day.value.contains("$") {
      if CalendarDay(iso: day.value) == nil {
        file.report("'\(day.value)' is no day of the calendar", at: day.mark, hint: "write YYYY-MM-DD")
      }
    }
    let first = from.map { GroupTemplate($0, of: pattern, in: file) }
    self.to = to.map { GroupTemplate($0, of: pattern, in: file) }
    guard let pattern, let first else { return nil }
    self.pattern = pattern
    self.from = first
  }
}
