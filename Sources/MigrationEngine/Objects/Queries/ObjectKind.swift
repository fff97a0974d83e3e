/// A kind of object, and the query that reads every object of it.
///
/// The query gives `classid` and `objid` (the object's address as `pg_depend` has it), `sql` (one statement,
/// or NULL for what is there by itself), and runs with an empty `search_path`, so that every name comes out
/// qualified.
struct ObjectKind {
  /// When an object is written, whatever depends on it.
  enum Phase: Int, Comparable {
    case main
    /// After everything that it might get in the way of.
    case last

    static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// What the query gives beside these, as it is taken out of it: a name in place of the server's, the
  /// relation that the object belongs to, and what it says of this one where it is a ``CatalogPart`` of it:
  /// `part`, `value`, `line` (its text within the parentheses of a table, NULL where it cannot be there), and
  /// `place`.
  enum Extra: String {
    case none = "i.identity, NULL, NULL, NULL, NULL, NULL"
    case name = "q.name, NULL, NULL, NULL, NULL, NULL"
    case relation = "i.identity, q.relation, NULL, NULL, NULL, NULL"
    case part = "i.identity, q.relation, q.part, q.value, NULL, NULL"
    case line = "i.identity, q.relation, q.part, q.value, q.line, q.place"
  }

  let sql: String
  var extra = Extra.none
  var phase = Phase.main
  /// For what may be in a circle: gives `classid`, `objid` and a statement that is enough for the others in
  /// it.
  var placeholder: String?

  /// In the order in which objects are written that do not depend on each other.
  static let all: [ObjectKind] = [
    .schemas, .extensions, .languages, .accessMethods, .collations, .conversions, .types, .routines,
    .aggregates,
    .operators, .operatorFamilies, .operatorClasses, .casts, .transforms, .searchParsers, .searchTemplates,
    .searchDictionaries, .searchConfigurations, .dataWrappers, .servers, .userMappings, .sequences, .tables,
    .partitions, .defaults, .constraints, .indexes, .indexPartitions, .sequenceOwners, .statistics, .views,
    .materialisedViews, .rules, .triggers, .policies, .foreignKeys, .replicaIdentities, .publications,
    .defaultPrivileges, .eventTriggers,
  ]

  /// All of them with the statements that read them and the names of the catalogs they are in, put together once.
  static let readings = all.map { (kind: $0, statement: $0.named, catalog: $0.catalog) }

  /// The name of the catalog that is `classid` in its query.
  private var catalog: String {
    String(
      sql.prefix(upTo: sql.firstRange(of: "'::regclass AS classid")?.lowerBound ?? sql.startIndex)
        .reversed().prefix { $0 != "'" }.reversed())
  }
}

extension ObjectKind {
  /// The objects of a kind with their names, without those of the server, of extensions, and those that come
  /// with another, such as the functions of a range type.
  private var named: String {
    """
    SELECT q.classid::oid, q.objid, q.sql, replace(i.type, 'default acl', 'default privileges'), \(extra.rawValue)
    FROM (\(sql)) q
    CROSS JOIN LATERAL pg_identify_object(CASE WHEN q.classid IN ('pg_inherits'::regclass, 'pg_sequence'::regclass,
      'pg_index'::regclass) THEN 'pg_class'::regclass ELSE q.classid END, q.objid, 0) i
    WHERE (q.objid >= 16384 OR q.classid IN ('pg_namespace'::regclass, 'pg_extension'::regclass))
      AND (i.schema IS NULL OR i.schema !~ '^pg_' AND i.schema NOT IN ('information_schema', 'rivulet'))
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = q.classid AND d.objid = q.objid AND d.deptype IN (
        'e', CASE WHEN q.classid IN ('pg_proc'::regclass, 'pg_cast'::regclass) THEN 'i' ELSE 'e' END))
    """
  }

  /// The name of a role by its number; one name for all makers.
  static func role(_ number: String) -> String {
    """
    CASE WHEN \(number) = 0 THEN 'PUBLIC'
      WHEN pg_get_userbyid(\(number)) = ANY (current_setting('rivulet.makers')::text[]) THEN 'the role that migrates'
      ELSE quote_ident(pg_get_userbyid(\(number))) END
    """
  }

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
    CASE WHEN \(list) IS NULL THEN '' ELSE coalesce((
      SELECT format(' OPTIONS (%s)',
        string_agg(format('%I %L', option_name, option_value), ', ' ORDER BY option_name COLLATE "C"))
      FROM pg_options_to_table(\(list)) HAVING count(*) > 0), '') END
    """
  }

  /// ` COLLATE x` where a collation is not that of the type.
  static func collate(_ collation: String, type: String) -> String {
    """
    CASE WHEN \(collation) = 0 THEN '' ELSE coalesce((SELECT ' COLLATE ' || \(collation)::regcollation
      FROM pg_type collated WHERE collated.oid = \(type) AND \(collation) <> collated.typcollation), '') END
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
