import Definitions
import Fetching
import Host
import PipelineCore
import Records
import Values

/// A file, or an entry of an archive, that a source of a pipeline is read from, as a dataset of OpenLineage.
struct LineageFile {
  /// The source's name.
  let source: String
  /// The file as the user knows it, and the entry.
  let place: (file: String, entry: String?)
  /// `file`, or scheme and host of an address.
  let namespace: String
  /// The whole path, and after `!/` the entry.
  let name: String
  private let layout: LayoutVersion
  private let target: String

  init(_ headed: HeadedEntry) {
    let entry = headed.entry.entry
    source = headed.source.name
    target = headed.source.target
    layout = headed.head.layout
    place = (entry.path, entry.entry)
    let inner = entry.entry.map { "!/" + $0 } ?? ""
    if let address = WebAddress(entry.path) {
      namespace = "\(address.scheme)://\(address.authority)"
      name = address.withoutQuery.dropFirst(namespace.count) + inner
    } else {
      namespace = "file"
      name = (Path.resolved(entry.path) ?? entry.path) + inner
    }
  }

  /// The columns of each table that have their values from a field, with the name of that.
  var fields: [(target: String, column: String, field: String, type: String)] {
    let own = layout.columns.filter(\.isStored).compactMap { column in
      Self.field(column).map { (target, column.name, $0, "\(column.type)") }
    }
    let repeated = layout.children.flatMap { child in
      child.slots.flatMap(\.self).compactMap { column in
        Self.field(column).map { (child.target, column.name, $0, "\(column.type)") }
      }
    }
    return own + repeated
  }

  /// What the file calls a column's field: by its header, else its path, else its place.
  private static func field(_ column: LayoutColumn) -> String? {
    guard case .field = column.origin, let place = column.place else { return nil }
    if let header = place.headers.first { return header.words.joined(separator: " ") }
    if let path = place.paths.first { return path.plain }
    return place.bytes.map { "\($0.lowerBound)-\($0.upperBound)" }
  }

  /// The dataset.
  ///
  /// `report`: what was read of it; nil before that is known. `rules`: what rules over all rows found.
  func dataset(_ report: SourceReport?, rules: [GateReport]) -> JSON {
    var seen: Set<String> = []
    let shown = fields.filter { seen.insert($0.field).inserted }.map {
      (name: $0.field, type: Optional($0.type))
    }
    let facets: JSON = [
      "dataSource": LineageFacet.source(namespace == "file" ? "file://" : namespace),
      "schema": LineageFacet.schema(shown),
    ]
    var input: JSON = [:]
    if let report, report.isCounted {
      let members: JSON = ["rowCount": report.read, "size": report.bytes, "fileCount": 1]
      input = ["inputStatistics": LineageFacet.standard("1-0-0/InputStatisticsInputDatasetFacet", members)]
    }
    if !rules.isEmpty {
      let members: JSON = ["assertions": JSON.array(of: rules, Self.assertion)]
      input =
        input
        + ["dataQualityAssertions": LineageFacet.standard("1-1-0/DataQualityAssertionsDatasetFacet", members)]
    }
    return ["namespace": namespace, "name": name, "facets": facets, "inputFacets": input]
  }

  private static func assertion(_ rule: GateReport) -> JSON {
    [
      "assertion": rule.rule, "success": rule.passed, "name": rule.rule,
      "severity": rule.severity == .fail ? "error" : "warn", "expected": "0", "actual": "\(rule.found)",
    ]
      + (rule.about.isEmpty ? [:] : ["description": rule.about])
  }
}
