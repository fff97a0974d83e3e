/// A kind of object that a dump writes, and the query that writes every object of it.
///
/// The query gives `classid` and `objid` (the object's address as `pg_depend` has it), `sql` (one statement,
/// or NULL for an object that is there by itself), and runs with an empty `search_path`, so that every name
/// comes out qualified.
struct DumpKind {
  /// When an object is written, whatever depends on it.
  enum Phase: Int, Comparable {
    case main
    /// After everything that it might get in the way of.
    case last

    static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  let sql: String
  var phase = Phase.main
  /// For what may be in a circle: gives `classid`, `objid` and a statement that is enough for the others in
  /// it.
  var placeholder: String?

  /// In the order in which objects are written that do not depend on each other.
  static let all: [DumpKind] = [
    .schemas, .extensions, .languages, .accessMethods, .collations, .conversions, .types, .routines,
    .aggregates,
    .operators, .operatorFamilies, .operatorClasses, .casts, .transforms, .searchParsers, .searchTemplates,
    .searchDictionaries, .searchConfigurations, .dataWrappers, .servers, .userMappings, .sequences, .tables,
    .partitions, .defaults, .constraints, .indexes, .indexPartitions, .sequenceOwners, .statistics, .views,
    .materialisedViews, .rules, .triggers, .policies, .foreignKeys, .replicaIdentities, .publications,
    .defaultPrivileges, .eventTriggers,
  ]
}

extension DumpKind {
  /// `WITH (...)` of a list of options, sorted, so that the order in which they were set does not show.
  static func options(_ list: String) -> String {
    """
    coalesce((SELECT ' WITH (' || string_agg(format('%s=%L', split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)),
      ', ' ORDER BY o COLLATE "C") || ')' FROM unnest(\(list)) o), '')
    """
  }

  /// `OPTIONS (...)` of a foreign object, sorted.
  static func foreignOptions(_ list: String) -> String {
    """
    coalesce((SELECT ' OPTIONS (' || string_agg(format('%I %L', option_name, option_value), ', ' ORDER BY option_name COLLATE "C")
      || ')' FROM pg_options_to_table(\(list))), '')
    """
  }

  /// ` COLLATE x` where a collation is not that of the type.
  static func collate(_ collation: String, type: String) -> String {
    """
    coalesce((SELECT ' COLLATE ' || \(collation)::regcollation FROM pg_type collated
      WHERE collated.oid = \(type) AND \(collation) <> 0 AND \(collation) <> collated.typcollation), '')
    """
  }

  /// What of a sequence is not as it is by itself, from a row `s` of `pg_sequence`; each with a blank before
  /// it.
  static let sequenceOptions = """
    concat(
      CASE WHEN s.seqstart <> CASE WHEN s.seqincrement > 0 THEN s.seqmin ELSE s.seqmax END
        THEN ' START WITH ' || s.seqstart END,
      CASE WHEN s.seqincrement <> 1 THEN ' INCREMENT BY ' || s.seqincrement END,
      CASE WHEN s.seqmin <> CASE WHEN s.seqincrement > 0 THEN 1 ELSE
        CASE s.seqtypid WHEN 21 THEN -32768 WHEN 23 THEN -2147483648 ELSE -9223372036854775808 END END
        THEN ' MINVALUE ' || s.seqmin END,
      CASE WHEN s.seqmax <> CASE WHEN s.seqincrement < 0 THEN -1 ELSE
        CASE s.seqtypid WHEN 21 THEN 32767 WHEN 23 THEN 2147483647 ELSE 9223372036854775807 END END
        THEN ' MAXVALUE ' || s.seqmax END,
      CASE WHEN s.seqcache <> 1 THEN ' CACHE ' || s.seqcache END,
      CASE WHEN s.seqcycle THEN ' CYCLE' END)
    """
}
