extension String {
  /// The text with HTML's character references as the characters: `&amp;`, `&#47;`, `&#x2F;`. Others stay.
  var entitiesDecoded: String {
    guard contains("&") else { return self }
    var decoded = ""
    var rest = self[...]
    while let mark = rest.firstIndex(of: "&") {
      decoded += rest[..<mark]
      rest = rest[mark...]
      let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && $0 != "&" && !$0.isWhitespace }
      let end = rest.index(after: rest.startIndex)
      if name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let character = String.entity(name) {
        decoded.append(character)
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        decoded += "&"
        rest = rest[end...]
      }
    }
    return decoded + rest
  }

  private static func entity(_ name: Substring) -> Character? {
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      let isHex = digits.lowercased().hasPrefix("x")
      let code = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return code.flatMap(Unicode.Scalar.init).map(Character.init)
    }
    switch name.lowercased() {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return " "
    default: return nil
    }
  }
}
