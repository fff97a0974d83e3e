import Testing
import Values

/// What `normalise` makes of a text, as a text: the value, `blank`, or the failure's name after a `!`.
func normalised(_ type: String, _ bytes: [UInt8], in encoding: TextEncoding = .utf8) -> String {
  guard let type = ValueType(type) else { return "no such type" }
  var scratch = Array("left over from the field before".utf8)
  switch type.normalise(bytes.span, encoding: encoding, scratch: &scratch) {
  case .blank: return "blank"
  case .slice(let range): return String(decoding: bytes[range], as: UTF8.self)
  case .scratch: return String(decoding: scratch, as: UTF8.self)
  case .invalid(let failure): return "!" + failure.name
  }
}

func normalised(_ type: String, _ text: String, in encoding: TextEncoding = .utf8) -> String {
  normalised(type, Array(text.utf8), in: encoding)
}

/// Fields, each with what becomes of it, by their types.
typealias TypeCases = KeyValuePairs<String, [(field: String, expected: String)]>

/// Holds what becomes of fields of a type against what should.
func check(_ type: String, _ values: [(field: String, expected: String)]) {
  for (field, expected) in values {
    #expect(normalised(type, field) == expected, "\(type) of \(field.debugDescription)")
  }
}
