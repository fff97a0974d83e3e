import SQLText

/// Whether an expression gives the same value throughout a statement.
enum Volatility {
  case steady
  /// It calls this function, which does not.
  case volatile(String)
  /// It calls this function, of which that is not known.
  case unknown(String)

  /// Looks at the calls in a part of a statement. `declared` are functions of the
  /// migrations, and whether they say that they are steady.
  static func of(_ statement: SQLStatement, _ range: Range<Int>, declared: [String: Bool]) -> Volatility {
    var unknown: String?
    for place in range where place + 1 < range.upperBound && statement.words[place + 1] == "(" {
      guard let name = statement.name(at: place), !isType(statement, place) else { continue }
      if changing.contains(name) || declared[name] == false { return .volatile(name) }
      if !common.contains(name) && declared[name] == nil { unknown = unknown ?? name }
    }
    return unknown.map { .unknown($0) } ?? .steady
  }

  /// Behind `::` and AS there is a type, and its parentheses hold a length.
  private static func isType(_ statement: SQLStatement, _ place: Int) -> Bool {
    place > 0 && [":", "AS", "VARYING"].contains(statement.words[place - 1])
      || statement.words[place] == "VARYING"
  }

  private static let changing: Set<String> = [
    "clock_timestamp", "gen_random_uuid", "lastval", "nextval", "random", "random_normal", "setval",
    "timeofday", "uuid_generate_v1", "uuid_generate_v1mc", "uuid_generate_v4", "uuidv4", "uuidv7", "currval",
    "gen_random_bytes",
  ]

  /// What defaults commonly call; pg_proc calls them immutable or stable. Words of the grammar are among
  /// them.
  private static let common: Set<String> = [
    "abs", "any", "array", "cast", "ceil", "coalesce", "concat", "concat_ws", "current_date",
    "current_setting", "current_time", "current_timestamp", "daterange", "date_part", "date_trunc", "decode",
    "encode", "extract", "floor", "format", "greatest", "in", "int4range", "int8range", "interval",
    "json_build_array", "json_build_object", "jsonb_build_array", "jsonb_build_object", "least", "left",
    "length", "localtime", "localtimestamp", "lower", "lpad", "make_date", "make_interval", "make_timestamp",
    "make_timestamptz", "md5", "now", "nullif", "numrange", "point", "power", "repeat", "replace", "right",
    "round", "row", "sha256", "statement_timestamp", "substr", "substring", "time", "timestamp",
    "timestamptz", "timezone", "to_char", "to_date", "to_json", "to_jsonb", "to_timestamp", "to_tsvector",
    "transaction_timestamp", "trim", "trunc", "tsrange", "tstzrange", "upper", "values",
  ]
}
