/// What a change of type costs.
///
/// Source: `ATColumnChangeRequiresRewrite` and the support functions of varchar, varbit, numeric and the
/// times in PostgreSQL 15.
enum TypeChange {
  /// Nothing but the catalog changes.
  case free
  /// Every row is written again.
  case rewrite
  /// As ``rewrite``, but free where the session's time zone is UTC.
  case rewriteUnlessUTC
  /// A type of the user's own is in it.
  case unknown

  /// What it costs to go from one type to another.
  init(from old: SQLType, to new: SQLType) {
    if old == new {
      self = .free
    } else if !TypeChange.known.contains(old.name) || !TypeChange.known.contains(new.name) {
      self = .unknown
    } else if old.isArray || new.isArray {
      // Lengths of elements are tried by a cast of the whole array.
      self = old.isArray == new.isArray && old.name == new.name && new.modifiers.isEmpty ? .free : .rewrite
    } else {
      self = TypeChange.between(old, new)
    }
  }

  private static func between(_ old: SQLType, _ new: SQLType) -> TypeChange {
    switch (old.name, new.name) {
    case ("varchar", "text"), ("cidr", "inet"), ("xml", "text"), ("xml", "varchar"): return .free
    case ("text", "varchar"): return new.modifiers.isEmpty ? .free : .rewrite
    case ("varchar", "varchar"), ("varbit", "varbit"): return isWider(old, new) ? .free : .rewrite
    case ("numeric", "numeric"): return isWiderNumber(old, new) ? .free : .rewrite
    case ("timestamp", "timestamptz"), ("timestamptz", "timestamp"):
      return isWider(old, new, greatest: 6) ? .rewriteUnlessUTC : .rewrite
    case (let name, new.name) where ["timestamp", "timestamptz", "time", "timetz"].contains(name):
      return isWider(old, new, greatest: 6) ? .free : .rewrite
    case ("interval", "interval"): return .unknown
    default: return .rewrite
    }
  }

  /// Whether the new length holds what the old one did; none is the greatest.
  private static func isWider(_ old: SQLType, _ new: SQLType, greatest: Int = .max) -> Bool {
    (new.modifiers.first ?? greatest) >= (old.modifiers.first ?? greatest)
  }

  private static func isWiderNumber(_ old: SQLType, _ new: SQLType) -> Bool {
    guard let digits = new.modifiers.first else { return true }
    guard let oldDigits = old.modifiers.first else { return false }
    let scale = { (type: SQLType) in type.modifiers.count > 1 ? type.modifiers[1] : 0 }
    return digits >= oldDigits && scale(old) == scale(new)
  }

  private static let known: Set<String> = [
    "bit", "bool", "bpchar", "bytea", "cidr", "date", "float4", "float8", "inet", "int2", "int4", "int8",
    "interval", "json", "jsonb", "money", "numeric", "text", "time", "timestamp", "timestamptz", "timetz",
    "uuid", "varbit", "varchar", "xml",
  ]
}
