/// What became of a field's bytes: PostgreSQL's text input of the value, or the reason why there is none.
public enum Normalised: Equatable, Sendable {
  /// The field holds nothing but blanks (or, for a date, nothing but zeros).
  case blank
  /// The value is these bytes of the field, as they are written.
  case slice(Range<Int>)
  /// The value had to be rewritten and is in the scratch array.
  case scratch
  /// The field is not of its type.
  case invalid(ValueFailure)
}
