import Definitions
import Values

extension FieldOrigin {
  /// Where the columns of a table that a source's rows go to have their values from, by column; what is the
  /// same in several versions of the layout is there once.
  static func all(of target: String, in source: Source, of pipeline: Pipeline) -> [String: [FieldOrigin]] {
    var found: [String: [FieldOrigin]] = [:]
    for version in pipeline.layout(of: source)?.versions ?? [] {
      let name = version.name + (version.releases.map { " (releases \($0))" } ?? "")
      func add(_ column: String, _ origin: FieldOrigin) {
        let known = found[column, default: []]
        if let index = known.firstIndex(where: { $0.isSame(as: origin) }) {
          found[column]?[index].merge(origin)
        } else {
          found[column, default: []].append(origin)
        }
      }
      let scope = Scope(dataset: pipeline.name, source: source, version: name)
      if target == source.target {
        for column in version.columns where column.isStored { add(column.name, scope.origin([column])) }
      }
      for child in version.children where child.target == target {
        for (column, origin) in scope.origins(of: child) { add(column, origin) }
      }
    }
    return found
  }

  /// Whether another version says the same; that it has no txt, and so no place, is no difference.
  private func isSame(as other: FieldOrigin) -> Bool {
    guard places == other.places || places.isEmpty || other.places.isEmpty else { return false }
    var other = other
    (other.versions, other.places) = (versions, places)
    return self == other
  }

  private mutating func merge(_ other: FieldOrigin) {
    if places.isEmpty { places = other.places }
    versions += other.versions.filter { !versions.contains($0) }
  }

  /// A version of a source's layout.
  private struct Scope {
    let dataset: String
    let source: Source
    let version: String

    /// The columns of a child table, with what they have from the record.
    func origins(of child: ChildTable) -> [(String, FieldOrigin)] {
      let inherited = child.inherited(fromKey: source.key).map { column, of in
        (column, said("'\(of)' of the record that it is in"))
      }
      let slot = child.key.isEmpty ? [("slot", said("which of the repeats in its record it is, from 1"))] : []
      let own = child.columnNames.map { name in
        (name, origin(child.slots.compactMap { slot in slot.first { $0.name == name } }))
      }
      return inherited + slot + own
    }

    /// A column; of what repeats in slots, that of each.
    func origin(_ columns: [LayoutColumn]) -> FieldOrigin {
      guard let column = columns.first else { return said("") }
      switch column.origin {
      case .constant(let text):
        let parts = source.parts.compactMap { part in
          part.constants[column.name].map { "'\($0)' of \(part.entries.text)" }
        }
        if Set(columns.map(\.origin)).count > 1 {
          return said(columns.compactMap(\.constantText).joined(separator: ", ") + ", by its place")
        }
        return said(
          "always '\(text)'"
            + (parts.isEmpty ? "" : "; where there are parts \(parts.joined(separator: ", "))"))
      case .recordNumber: return said("the number of the record in the file, from 1")
      case .pathName: return said("the name of the path by which the row was found")
      case .field: break
      }
      let places = columns.compactMap(\.place)
      let headers =
        columns.count == 1
        ? places.flatMap { $0.headers.map(\.wording) } : places.compactMap { $0.headers.first?.wording }
      return FieldOrigin(
        dataset: dataset, source: source.name, headers: Self.unique(headers),
        places: Self.unique(places.compactMap { $0.bytes.map(Self.shown) }),
        paths: Self.unique(places.flatMap { $0.paths.map { $0.steps.isEmpty ? "." : $0.plain } }),
        words: nil, type: "\(column.type)", rules: column.asked, versions: [version])
    }

    private func said(_ words: String) -> FieldOrigin {
      FieldOrigin(
        dataset: dataset, source: source.name, headers: [], places: [], paths: [], words: words, type: nil,
        rules: [], versions: [version])
    }

    private static func shown(_ bytes: ClosedRange<Int>) -> String {
      bytes.count == 1 ? "\(bytes.lowerBound)" : "\(bytes.lowerBound)-\(bytes.upperBound)"
    }

    private static func unique(_ texts: [String]) -> [String] {
      texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
  }
}

extension HeaderText {
  /// As the layout writes it.
  fileprivate var wording: String { words.joined(separator: " ") }
}

extension LayoutColumn {
  fileprivate var constantText: String? { if case .constant(let text) = origin { "'\(text)'" } else { nil } }
}
