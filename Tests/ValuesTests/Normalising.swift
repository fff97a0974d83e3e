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
