import PostgreSQL

/// Whether the tables of a view's captured sources are those that were noted, with all their triggers, switched on.
///
/// It is what a refresh asks first, and takes a fraction of the time of ``CapturedTables/queries(where:)``, to which it leaves
/// whatever is not so: what is known stands in the queries as constants, and the program compares what they give. Children
/// of what was noted are looked for, in place of a tree, which is the same where there are no others. What belongs to
/// releases is a partition without children; one whose name has to be quoted is not known for such here.
struct NotedTables {
  let captures: [ChangeCapture]

  /// An expression for the numbers of the sources.
  var roots: String { "ARRAY[\(captures.map { "coalesce(\(root($0)), 0)" }.joined(separator: ", "))]::oid[]" }

  /// Queries of the triggers that are switched on, and of the tables that belong to no release.
  var queries: String {
    let tables = "ARRAY[\(captures.flatMap { [root($0)] + $0.partitions }.joined(separator: ", "))]::oid[]"
    // A name as the server writes it, without a schema that is in the search path.
    let released =
      captures.contains { $0.source.hasPrefix("public.") }
      ? #"regexp_replace(partition, '^public\.', '')"# : "partition"
    return """
      SELECT tgrelid, tgname FROM pg_trigger WHERE tgrelid = ANY (\(tables)) AND tgenabled = 'A';
      SELECT inhparent, inhrelid FROM pg_inherits
      WHERE inhparent = ANY (\(tables)) AND NOT inhdetachpending
        AND inhrelid::regclass::text NOT IN (SELECT \(released) FROM rivulet.release_table)
      """
  }

  /// - Parameters:
  ///   - roots: what ``roots`` has given.
  ///   - triggers: the answer to the first of the ``queries``.
  ///   - children: to the second.
  func areThere(roots: [String], triggers: ResultSet, children: ResultSet) throws -> Bool {
    let triggers = try Self.byTable(triggers).mapValues(Set.init)
    let children = try Self.byTable(children)
    return zip(captures, roots).allSatisfy { capture, root in
      let tables = [root] + capture.partitions
      return tables.allSatisfy { triggers[$0]?.isSuperset(of: capture.triggers) == true }
        && Set(tables.flatMap { children[$0] ?? [] }) == Set(capture.partitions)
    }
  }

  private func root(_ capture: ChangeCapture) -> String {
    "to_regclass(\(Quote.literal(Quote.qualified(capture.source))))::oid"
  }

  private static func byTable(_ found: ResultSet) throws -> [String: [String]] {
    try found.rows.reduce(into: [:]) { $0[try $1.value(0), default: []].append(try $1.value(1)) }
  }
}
