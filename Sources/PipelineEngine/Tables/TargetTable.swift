import PipelineCore
import PostgreSQL

/// A published table as the database describes it: what a staged table must become to be attached to it, or
/// to be merged into it.
struct TargetTable: Sendable {
  /// An index of the target that a partition needs its own of.
  struct Index: Sendable {
    /// The index, by its number.
    let number: String
    let isUnique: Bool
    /// It holds for all rows and at once, so that it tells which row another would be.
    let isArbiter: Bool
    let columns: [String]
  }

  /// `schema.table`.
  let name: String
  let columns: [String]
  let indexes: [Index]

  /// The defaults of columns that may not be null, as SQL.
  let defaults: [String: String]
  /// The columns that may be null.
  let nullable: Set<String>
  /// The columns whose values may be equal and yet not the same.
  let inexact: Set<String>
  /// The column that Citus distributes the rows by; nil where they are all on one server.
  let distribution: String?
  /// A policy of the table would hide rows from the role.
  let hidesRows: Bool

  /// Reads the table's description.
  ///
  /// `isByRelease`: whether it must be one that holds releases, or one that does not.
  init(_ name: String, isByRelease: Bool = true, on connection: Connection) throws {
    let found = try connection.query(
      """
      SELECT c.oid::text, c.relkind::text, coalesce(pg_get_partkeydef(c.oid), ''),
        row_security_active(c.oid)
      FROM pg_class c WHERE c.oid = to_regclass($1)
      """, [.text(Quote.qualified(name))])
    guard let row = found.first else { throw RunError.missingTarget(name) }
    let oid: String = try row.value(0)
    guard (row[2] == "LIST (release)") == isByRelease else {
      throw isByRelease ? RunError.notByRelease(name) : RunError.byRelease(name)
    }
    self.name = name
    hidesRows = try row.value(3)
    distribution =
      connection.hasCitus
      ? try connection.query(
        """
        SELECT column_to_column_name(logicalrelid, partkey) FROM pg_dist_partition
        WHERE logicalrelid = $1::oid AND partmethod = 'h'
        """, [.text(oid)]
      ).first?[0] : nil
    // Exact is what is its own image: of other types the server alone knows when values are equal.
    let described = try connection.query(
      """
      SELECT a.attname, NOT a.attnotnull, t.oid NOT IN ('bool'::regtype, 'int2'::regtype, 'int4'::regtype,
          'int8'::regtype, 'text'::regtype, 'varchar'::regtype, 'uuid'::regtype, 'date'::regtype,
          'timestamp'::regtype, 'timestamptz'::regtype) OR NOT coalesce(l.collisdeterministic, true),
        CASE WHEN a.attnotnull AND a.attidentity = '' AND a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation l ON l.oid = a.attcollation
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """, [.text(oid)]
    ).rows.map { row in
      (try row.value(0, String.self), try row.value(1, Bool.self), try row.value(2, Bool.self), row[3])
    }
    columns = described.map(\.0)
    nullable = Set(described.filter(\.1).map(\.0))
    defaults = Dictionary(
      described.compactMap { column in column.3.map { (column.0, $0) } },
      uniquingKeysWith: { first, _ in first })
    inexact = Set(described.filter(\.2).map(\.0))
    indexes = try connection.query(
      """
      SELECT i.indexrelid::text, i.indisunique,
        (SELECT string_agg(a.attname, ',' ORDER BY x.place)
         FROM unnest(i.indkey) WITH ORDINALITY x(attnum, place)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = x.attnum),
        i.indisunique AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
      FROM pg_index i
      WHERE i.indrelid = $1::oid ORDER BY i.indisprimary DESC, i.indexrelid
      """, [.text(oid)]
    ).rows.map { row in
      Index(
        number: try row.value(0), isUnique: try row.value(1), isArbiter: try row.value(3),
        columns: (row[2] ?? "").split(separator: ",").map(String.init))
    }
  }
}
