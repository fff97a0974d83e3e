import Foundation
import Testing

/// Events of OpenLineage, held against what its schema demands: version 2-0-2 of the events, and the versions
/// of the facets that they name.
struct LineageEvents {
  /// The events, in their order.
  let all: [[String: Any]]

  /// What a facet must have, by the name of its schema.
  private static let members: [String: [String]] = [
    "1-0-1/DatasourceDatasetFacet": [], "1-2-0/SchemaDatasetFacet": ["fields"],
    "1-2-0/ColumnLineageDatasetFacet": ["fields"], "1-0-1/DatasetVersionDatasetFacet": ["datasetVersion"],
    "1-0-0/InputStatisticsInputDatasetFacet": ["rowCount"],
    "1-0-2/OutputStatisticsOutputDatasetFacet": ["rowCount"],
    "1-1-0/DataQualityAssertionsDatasetFacet": ["assertions"],
    "1-0-1/ErrorMessageRunFacet": ["message", "programmingLanguage"], "1-2-0/ParentRunFacet": ["run", "job"],
    "1-0-1/NominalTimeRunFacet": ["nominalStartTime"], "1-1-1/ProcessingEngineRunFacet": ["version"],
    "2-0-4/JobTypeJobFacet": ["processingType", "integration"],
    "1-1-0/DocumentationJobFacet": ["description"],
  ]

  /// The events of a text with one in each line.
  init(_ text: String, at place: SourceLocation = #_sourceLocation) throws {
    all = try text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], sourceLocation: place)
    }
    for event in all {
      let faults = Self.faults(of: event)
      #expect(faults.isEmpty, "\(faults)", sourceLocation: place)
    }
  }

  /// The events of a file.
  init(file: String, at place: SourceLocation = #_sourceLocation) throws {
    try self.init(String(contentsOfFile: file, encoding: .utf8), at: place)
  }

  /// What each is, as `START items`.
  var types: [String] {
    all.map { "\($0["eventType"] as? String ?? "-") \(Self.value($0, "job", "name") as? String ?? "-")" }
  }

  /// The numbers of their runs.
  var runs: [String] { all.map { Self.value($0, "run", "runId") as? String ?? "-" } }

  /// A value inside objects and lists, by names and places.
  static func value(_ root: Any?, _ path: Any...) -> Any? {
    path.reduce(root) { value, step in
      if let place = step as? Int, let list = value as? [Any] {
        return list.indices.contains(place) ? list[place] : nil
      }
      return (value as? [String: Any])?[step as? String ?? ""]
    }
  }

  /// What the schema does not allow.
  private static func faults(of event: [String: Any]) -> [String] {
    var faults: [String] = []
    func need(_ isMet: Bool, _ what: String) { if !isMet { faults.append(what) } }
    need(["START", "COMPLETE", "FAIL", "ABORT"].contains(event["eventType"] as? String ?? ""), "eventType")
    let time = (event["eventTime"] as? String ?? "")
      .wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/)
    need(time != nil, "eventTime")
    need(URL(string: event["producer"] as? String ?? "")?.scheme != nil, "producer")
    need(
      event["schemaURL"] as? String == "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
      "schemaURL")
    need(UUID(uuidString: value(event, "run", "runId") as? String ?? "") != nil, "runId")
    for name in ["namespace", "name"] { need(value(event, "job", name) is String, "job.\(name)") }
    var facets = [value(event, "run", "facets"), value(event, "job", "facets")]
    for (list, kind) in [("inputs", "inputFacets"), ("outputs", "outputFacets")] {
      for dataset in event[list] as? [[String: Any]] ?? [] {
        for name in ["namespace", "name"] { need(dataset[name] is String, "\(list).\(name)") }
        facets += [dataset["facets"], dataset[kind]]
      }
    }
    for (name, facet) in facets.compactMap({ $0 as? [String: [String: Any]] }).flatMap(\.self) {
      need(facet["_producer"] as? String == event["producer"] as? String, "\(name)._producer")
      guard name != "rivulet_run" else { continue }
      let parts = (facet["_schemaURL"] as? String ?? "").components(separatedBy: ".json#/$defs/")
      let schema = parts[0].replacing("https://openlineage.io/spec/facets/", with: "")
      need(parts.count == 2 && schema.hasSuffix("/" + (parts.last ?? "")), "\(name)._schemaURL")
      guard let members = Self.members[schema] else {
        faults.append("\(name) is of an unknown schema, \(schema)")
        continue
      }
      for member in members { need(facet[member] != nil, "\(name).\(member)") }
    }
    return faults
  }
}
