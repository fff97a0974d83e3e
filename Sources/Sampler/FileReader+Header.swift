import Definitions
import Values

/// The key `header` of a file: every column that the publisher's file has, in its order, whether the layout
/// names it or not.
///
///     header:
///       - NPI: npi                                  # a header, and its formula
///       - Replacement NPI                           # nothing is ever in it
///       - when: is_active                           # columns that are blank where the condition does not hold
///         columns: [Last Update Date: "date(updated, 'MM/DD/YYYY')"]
///       - each: 15                                  # columns that come again, {slot} counting from 1
///         when: taxonomies >= {slot}
///         columns: ['Taxonomy Code_{slot}': 'pick(specialty.code, draw({slot}, 1000))']
extension FileReader {
  /// The most times that columns may come again.
  private static let mostSlots = 1000

  /// The columns of a header, with what the layout knows of them.
  func headerColumns(_ nodes: [YAMLNode], _ part: PartDefinition) -> [SampleFile.Column] {
    let known = part.layout.everyColumn
    let columns = nodes.flatMap { headerColumns($0, when: [], part.reader, known) }
    let texts = Set(columns.compactMap { $0.header.first.map(HeaderText.normalised) })
    for column in part.layout.columns where !column.isOptional {
      guard let place = column.place, !place.headers.isEmpty else { continue }
      if !place.headers.contains(where: { texts.contains($0.text) }) {
        file.report(
          "the header lacks the layout's column '\(column.name)'", at: nodes[0].mark,
          hint: "the layout calls it '\(place.headers[0].words.joined(separator: " "))'")
      }
    }
    return columns
  }

  private func headerColumns(
    _ node: YAMLNode, when: [String], _ reader: SampleScope, _ known: [LayoutColumn]
  ) -> [SampleFile.Column] {
    switch node.content {
    case .scalar(let text, _): return [blankColumn(text, known)]
    case .mapping(let entries) where entries.contains { $0.key == "columns" }:
      return group(node, when: when, reader, known)
    case .mapping(let entries) where entries.count == 1:
      var column = blankColumn(entries[0].key, known)
      guard let field = field(entries[0].value, reader) else { return [] }
      column.field = field
      column.condition = condition(when, at: node.mark, reader)
      return [column]
    default:
      file.report("a column of a header is a text, or a text and its formula", at: node.mark)
      return []
    }
  }

  /// Columns with a condition, and those that come several times.
  private func group(
    _ node: YAMLNode, when: [String], _ reader: SampleScope, _ known: [LayoutColumn]
  ) -> [SampleFile.Column] {
    guard let outer = Fields(node, of: "columns", keys: ["each", "when", "columns"], in: file) else {
      return []
    }
    let count = outer.count("each") ?? 1
    guard (1...Self.mostSlots).contains(count) else {
      file.report("'each' must be from 1 to \(Self.mostSlots)", at: outer.mark(of: "each"))
      return []
    }
    return (1...count).flatMap { slot -> [SampleFile.Column] in
      let own = outer.has("each") ? node.replacing("{slot}", with: String(slot)) : node
      guard let fields = Fields(own, of: "columns", keys: ["each", "when", "columns"], in: file) else {
        return []
      }
      let when = when + [fields.text("when")?.value].compactMap(\.self)
      return fields.needList("columns").flatMap { headerColumns($0, when: when, reader, known) }
    }
  }

  /// A column in which nothing is, as the layout knows it.
  private func blankColumn(_ text: String, _ known: [LayoutColumn]) -> SampleFile.Column {
    let normalised = HeaderText.normalised(text)
    let column = known.first { column in
      column.place?.headers.contains { $0.text == normalised } ?? false
    }
    return SampleFile.Column(
      name: column?.name ?? text, header: [text], field: .blank,
      otherHeaders: column?.place?.headers.filter { $0.text != normalised }.map(\.words) ?? [],
      type: column?.type ?? .text, isRequired: column?.isRequired ?? false)
  }

  private func condition(
    _ texts: [String], at mark: Mark, _ reader: SampleScope
  ) -> SampleFile.Condition? {
    guard !texts.isEmpty else { return nil }
    let text = texts.count == 1 ? texts[0] : texts.map { "(\($0))" }.joined(separator: " and ")
    return reader.formula(Marked(text, at: mark), of: .flag).map {
      SampleFile.Condition(text: text, holds: $0)
    }
  }

  /// The quirks that all files of the publisher's have.
  func ownQuirks(_ fields: Fields) -> Set<GeneralQuirk> {
    Set((fields.texts("always") ?? []).compactMap { fileQuirk($0, fields) })
  }

  private func fileQuirk(_ name: Marked<String>, _ fields: Fields) -> GeneralQuirk? {
    let quirk: GeneralQuirk? = fields.choice(name, of: "quirk")
    if let quirk, quirk.spread != .everyFile {
      file.report("'\(name.value)' is not in every file of anyone's", at: name.mark)
      return nil
    }
    return quirk
  }
}
