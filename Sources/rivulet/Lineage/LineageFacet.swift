import Values

/// Facets of OpenLineage: objects with members of their own, and the schema that says which.
enum LineageFacet {
  /// Who writes the events.
  static let producer = "urn:rivulet:\(Rivulet.version)"
  /// The version of the specification.
  static let specification = "https://openlineage.io/spec/2-0-2/OpenLineage.json"

  /// A facet of the specification.
  ///
  /// `schema`: its file, as `1-0-1/DatasourceDatasetFacet`.
  static func standard(_ schema: String, _ members: JSON) -> JSON {
    let name = schema.split(separator: "/").last ?? ""
    let address = "https://openlineage.io/spec/facets/\(schema).json#/$defs/\(name)"
    return ["_producer": producer, "_schemaURL": address] + members
  }

  /// A facet of our own for a run.
  static func ownOfRun(_ members: JSON) -> JSON {
    ["_producer": producer, "_schemaURL": specification + "#/$defs/RunFacet"] + members
  }

  /// The fields of a dataset.
  static func schema(_ fields: [(name: String, type: String?)]) -> JSON {
    standard(
      "1-2-0/SchemaDatasetFacet",
      [
        "fields": JSON.array(of: fields) { field in
          ["name": field.name] + (field.type.map { ["type": $0] } ?? [:])
        }
      ])
  }

  /// Where a dataset is.
  static func source(_ namespace: String) -> JSON {
    standard("1-0-1/DatasourceDatasetFacet", ["name": namespace, "uri": namespace])
  }

  /// What a job is.
  static func jobType(_ kind: String) -> JSON {
    standard(
      "2-0-4/JobTypeJobFacet",
      ["processingType": "BATCH", "integration": "RIVULET", "jobType": kind])
  }

  /// What a job does, in words.
  static func documentation(_ words: String) -> JSON {
    standard("1-1-0/DocumentationJobFacet", ["description": words])
  }

  /// The program.
  static var engine: JSON {
    standard("1-1-1/ProcessingEngineRunFacet", ["version": Rivulet.version, "name": "rivulet"])
  }
}
