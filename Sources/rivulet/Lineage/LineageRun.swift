import Host
import Values

/// One run of a job in OpenLineage: a START, and then a COMPLETE, a FAIL or an ABORT.
struct LineageRun {
  /// How a run ended.
  enum End {
    case complete
    /// It failed, for a reason that quotes nothing of the data.
    case fail(String)
    /// It was asked to end.
    case abort

    fileprivate var eventType: String {
      switch self {
      case .complete: "COMPLETE"
      case .fail: "FAIL"
      case .abort: "ABORT"
      }
    }
  }

  /// A run as others refer to it.
  struct Reference {
    let identifier: String
    let namespace: String
    let name: String
  }

  /// Itself, as those that it starts refer to it.
  let reference: Reference
  /// The run that started it.
  let parent: Reference?
  /// When it was due, RFC 3339; nil where it was started by hand.
  let nominalTime: String?
  /// The facets of its job.
  let job: JSON
  private let sink: LineageSink

  /// A run that has not begun.
  init(
    _ name: String, in namespace: String, job: JSON, parent: LineageRun? = nil, nominalTime: String? = nil,
    to sink: LineageSink
  ) {
    reference = Reference(identifier: LineageIdentifier.make(), namespace: namespace, name: name)
    self.parent = parent?.reference
    self.nominalTime = nominalTime ?? parent?.nominalTime
    self.job = job
    self.sink = sink
  }

  /// Says that it begins.
  ///
  /// `time`: when it did; nil for now.
  func start(at time: String? = nil, inputs: [JSON] = [], outputs: [JSON] = []) {
    sink.send(event("START", at: time, facets: [:], inputs, outputs))
  }

  /// Says how it ended.
  ///
  /// `facets`: what more is known of it.
  func end(_ end: End, facets: JSON = [:], inputs: [JSON] = [], outputs: [JSON] = []) {
    var facets = facets
    if case .fail(let reason) = end {
      let message: JSON = ["message": reason, "programmingLanguage": "SWIFT"]
      facets = facets + ["errorMessage": LineageFacet.standard("1-0-1/ErrorMessageRunFacet", message)]
    }
    sink.send(event(end.eventType, at: nil, facets: facets, inputs, outputs))
  }

  private func event(
    _ type: String, at time: String?, facets: JSON, _ inputs: [JSON], _ outputs: [JSON]
  ) -> JSON {
    [
      "eventType": type, "eventTime": time ?? Machine.preciseTime, "producer": LineageFacet.producer,
      "schemaURL": LineageFacet.specification + "#/$defs/RunEvent",
      "run": ["runId": reference.identifier, "facets": ownFacets + facets] as JSON,
      "job": ["namespace": reference.namespace, "name": reference.name, "facets": job] as JSON,
      "inputs": inputs, "outputs": outputs,
    ]
  }

  private var ownFacets: JSON {
    var facets: JSON = ["processing_engine": LineageFacet.engine]
    if let parent {
      let members: JSON = [
        "run": ["runId": parent.identifier] as JSON,
        "job": ["namespace": parent.namespace, "name": parent.name] as JSON,
      ]
      facets = facets + ["parent": LineageFacet.standard("1-2-0/ParentRunFacet", members)]
    }
    if let nominalTime {
      let members: JSON = ["nominalStartTime": nominalTime]
      facets = facets + ["nominalTime": LineageFacet.standard("1-0-1/NominalTimeRunFacet", members)]
    }
    return facets
  }
}
