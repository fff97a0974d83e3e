import Definitions
import PostgreSQL

extension ViewEngine {
  /// The names of the views that a request is for.
  /// - Throws: ``RefreshError`` where a name is not that of a stored view that was made; `PostgreSQLError`.
  func chosen(
    _ request: RefreshRequest, _ registered: [String: RegisteredView], _ graph: ViewGraph,
    on connection: Connection
  ) throws -> Set<String> {
    var names: Set<String>
    switch request.scope {
    case .all: names = Set(definitions.filter(\.isStored).map(\.name))
    case .named(let given):
      for name in given { try require(name, registered, request) }
      // What they read comes first, or they would be behind at once.
      names = graph.closure(of: given, graph.read(by:))
    case .readers(let tables): names = graph.readers(of: tables)
    }
    if request.date != nil {
      let byDate = names.filter { registered[$0]?.followsDate == true }
      names = graph.closure(of: Array(byDate), graph.readers(of:))
    }
    guard request.isOnlyStale else { return names }
    let stale = try status(on: connection).filter(\.isStale).map(\.name)
    return names.intersection(stale)
  }

  private func require(_ name: String, _ registered: [String: RegisteredView], _ request: RefreshRequest)
    throws
  {
    guard let view = definitions.first(where: { $0.name == name }) else {
      throw RefreshError.unknown(
        name, hint: NearestName.hint(name, among: definitions.map(\.name), called: "there are"))
    }
    guard view.isStored else { throw RefreshError.live(name) }
    guard registered[name] != nil else { throw RefreshError.outOfStep(name) }
    if request.date != nil, registered[name]?.followsDate == false { throw RefreshError.notByDate(name) }
  }
}
