extension SQLType {
  /// Whether there are values of another type that this one cannot hold as they are: they make a change of type
  /// fail, or lose digits, letters or the time of day.
  ///
  /// Between sorts, such as from texts to numbers, that is so unless the new one is a text. What is of no sort that
  /// is known here is left to the cast.
  func isNarrower(than old: SQLType) -> Bool {
    guard self != old else { return false }
    guard let sort, let oldSort = old.sort else { return false }
    if isArray != old.isArray || sort != oldSort { return sort != "text" || isArray || length != .max }
    if let length, let oldLength = old.length { return length < oldLength }
    if let digits, let oldDigits = old.digits {
      return digits.whole < oldDigits.whole || digits.fraction < oldDigits.fraction
    }
    if let time, let oldTime = old.time {
      return !oldTime.parts.isSubset(of: time.parts) || time.precision < oldTime.precision
    }
    return false
  }

  /// Whose values are of a kind; nil for what is not known, such as enumerations and domains.
  private var sort: String? {
    switch name {
    case "text", "varchar", "bpchar": "text"
    case "bit", "varbit": "bits"
    case "int2", "int4", "int8", "float4", "float8", "numeric": "number"
    case "date", "time", "timetz", "timestamp", "timestamptz": "moment"
    case "json", "jsonb": "json"
    case "bool", "uuid", "bytea", "interval", "inet", "cidr": name
    default: nil
    }
  }

  /// How many characters or bits it holds; nil for what is neither.
  private var length: Int? {
    switch name {
    case "text", "varchar", "varbit": modifiers.first ?? .max
    case "bpchar", "bit": modifiers.first ?? 1
    default: nil
    }
  }

  /// How many digits it keeps for certain, before and behind the point; nil for what is no number.
  ///
  /// A float keeps 15 or 6 digits in all, wherever the point is, and so next to a numeric fewer; what is a whole
  /// number of at most so many digits it keeps.
  private var digits: (whole: Int, fraction: Int)? {
    switch name {
    case "int2": return (5, 0)
    case "int4": return (10, 0)
    case "int8": return (19, 0)
    case "float4": return (6, 6)
    case "float8": return (15, 15)
    case "numeric":
      guard let precision = modifiers.first else { return (.max, .max) }
      let scale = modifiers.count > 1 ? modifiers[1] : 0
      return (precision - scale, scale)
    default: return nil
    }
  }

  private enum TimePart { case date, timeOfDay, zone }

  /// What it says of a moment, and with how many digits of a second; nil for what is no time.
  private var time: (parts: Set<TimePart>, precision: Int)? {
    let precision = modifiers.first ?? 6
    switch name {
    case "date": return ([.date], 0)
    case "time": return ([.timeOfDay], precision)
    case "timetz": return ([.timeOfDay, .zone], precision)
    // One moment, read in the session's time zone either way.
    case "timestamp", "timestamptz": return ([.date, .timeOfDay], precision)
    default: return nil
    }
  }
}
