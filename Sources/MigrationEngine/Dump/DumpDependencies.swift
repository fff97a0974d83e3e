import PostgreSQL

/// What depends on what, among all addresses of the catalog.
struct DumpDependencies {
  /// How one address hangs on another.
  enum Bond {
    /// It needs the other.
    case needs
    /// It is a piece of the other and goes with it.
    case belongs
    /// It has to come after the other, no more.
    case follows
  }

  private(set) var edges: [(from: CatalogAddress, to: CatalogAddress, bond: Bond)] = []
  private var owners: [CatalogAddress: CatalogAddress] = [:]

  /// Reads them.
  init(_ connection: Connection) throws {
    let rows = try connection.query(DumpDependencies.sql)
    for row in rows.rows {
      let (from, to) = (try CatalogAddress(row), try CatalogAddress(row, at: 2))
      let kind: String = try row.value(4)
      edges.append((from, to, kind == "o" ? .follows : kind == "n" || kind == "e" ? .needs : .belongs))
      // The query gives what decides first.
      if try row.value(5), owners[from] == nil { owners[from] = to }
    }
  }

  /// Says that one address is written within another from now on.
  mutating func merge(_ part: CatalogAddress, into whole: CatalogAddress) { owners[part] = whole }

  /// The address in `known` that an address is, or is a piece of; nil where there is none.
  func resolve(_ address: CatalogAddress, among known: (CatalogAddress) -> Bool) -> CatalogAddress? {
    var address = address
    var steps = 0
    while !known(address) {
      guard let owner = owners[address], steps < 16 else { return nil }
      address = owner
      steps += 1
    }
    return address
  }

  /// The table `pg_depend`, and what it does not say: that a partition is attached before its parent gets
  /// keys, indexes and triggers, and after the checks that both must have.
  ///
  /// The last column says whether the first address, where it is no object by itself, is a piece of the
  /// second.
  private static let sql = """
    WITH RECURSIVE tree AS (
      SELECT inhparent AS parent, inhrelid AS child FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE relispartition AND relkind <> 'i'
      UNION SELECT parent, inhrelid FROM tree JOIN pg_inherits ON inhparent = child),
    extra (classid, objid, refclassid, refobjid, kind) AS (
      SELECT 'pg_inherits'::regclass::oid, inhrelid, 'pg_class'::regclass::oid, unnest(ARRAY[inhrelid, inhparent]), 'a'
      FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE relispartition
      UNION ALL SELECT 'pg_sequence'::regclass, objid, 'pg_class'::regclass, unnest(ARRAY[objid, refobjid]), 'a'
      FROM pg_depend JOIN pg_sequence ON seqrelid = objid
      WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype = 'a'
      UNION ALL SELECT 'pg_index'::regclass, indexrelid, 'pg_class'::regclass, indexrelid, 'a' FROM pg_index
      WHERE indisreplident
      UNION ALL SELECT 'pg_class'::regclass, indexrelid, 'pg_inherits'::regclass, child, 'o' FROM tree
      JOIN pg_index ON indrelid = parent
      UNION ALL SELECT 'pg_constraint'::regclass, oid, 'pg_inherits'::regclass, child, 'o' FROM tree
      JOIN pg_constraint ON conrelid = parent AND contype NOT IN ('c', 'n')
      UNION ALL SELECT 'pg_trigger'::regclass, oid, 'pg_inherits'::regclass, child, 'o' FROM tree
      JOIN pg_trigger ON tgrelid = parent
      UNION ALL SELECT CASE WHEN relispartition THEN 'pg_inherits'::regclass ELSE 'pg_class'::regclass END, inhrelid,
        'pg_constraint'::regclass, o.oid, 'o'
      FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      JOIN pg_constraint o ON contype IN ('c', 'n') AND (conrelid = inhparent OR relispartition AND conrelid = inhrelid)
      WHERE convalidated OR inhrelid NOT IN (\(ObjectKind.unprovenHeirs))
      UNION ALL SELECT 'pg_constraint'::regclass, o.oid, 'pg_class'::regclass, heir, 'o'
      FROM pg_constraint o, LATERAL (\(ObjectKind.unprovenHeirs)) h (heir) WHERE NOT convalidated),
    every AS (
      SELECT classid, objid, refclassid, refobjid, deptype::text AS kind FROM pg_depend d
      WHERE objid >= 16384
        AND NOT (deptype = 'a' AND classid = 'pg_class'::regclass AND EXISTS (SELECT FROM pg_sequence
          WHERE seqrelid = objid))
        AND NOT (classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint o
          WHERE o.oid = objid AND contype = 'f' AND conparentid <> 0))
      UNION ALL SELECT * FROM extra)
    SELECT classid, objid, refclassid, refobjid, kind, kind IN ('e', 'i')
      OR kind = 'a' AND (classid IN ('pg_attrdef'::regclass, 'pg_constraint'::regclass)
        OR classid IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
          AND refclassid IN ('pg_opclass'::regclass, 'pg_opfamily'::regclass)
        OR refclassid = 'pg_publication'::regclass)
    FROM every
    ORDER BY classid, objid, array_position(ARRAY['e', 'i', 'a'], kind), refclassid, refobjid
    """
}
