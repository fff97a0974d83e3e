public import PostgreSQL

/// Moments in the time zone of the project, as the server knows its summer times.
public struct LocalTimes: Sendable {
  private let shown: [String: String]

  /// Looks moments up.
  /// - Parameters:
  ///   - moments: in ISO 8601; those that are absent are passed over.
  ///   - zone: the time zone, by its name in the IANA database.
  ///   - connection: to the server that is asked.
  /// - Throws: `PostgreSQLError` where the statement fails.
  public init(of moments: [String?], zone: String, on connection: Connection) throws {
    let known = Array(Set(moments.compactMap(\.self)))
    shown = try Dictionary(
      uniqueKeysWithValues: connection.query(
        """
        SELECT m, to_char(m::timestamptz AT TIME ZONE $2, 'YYYY-MM-DD HH24:MI')
        FROM unnest($1::text[]) m
        """, [.textArray(known), .text(zone)]
      ).rows.map { (try $0.value(0), try $0.value(1)) })
  }

  /// A moment as `YYYY-MM-DD HH:MM`; nil where there is none.
  public subscript(moment: String?) -> String? { moment.flatMap { shown[$0] } }

  /// The time now in a time zone, with its abbreviation.
  /// - Throws: `PostgreSQLError` where the statement fails.
  public static func now(zone: String, on connection: Connection) throws -> String {
    try connection.transaction {
      try connection.query("SELECT set_config('TimeZone', $1, true)", [.text(zone)])
      return try connection.query("SELECT to_char(now(), 'YYYY-MM-DD HH24:MI TZ')")[0].value(0)
    }
  }
}
