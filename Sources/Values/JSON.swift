/// A JSON document to be written; members keep the order they were given in.
public indirect enum JSON: Sendable, Equatable {
  /// null.
  case null
  /// true or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number by its digits as they are to be written, such as `12.50`.
  case number(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object.
  case object([(String, JSON)])
  /// Text that is JSON already.
  case verbatim(String)

  /// A string or null.
  public init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A whole number or null.
  public init(_ number: Int?) { self = number.map { .integer($0) } ?? .null }

  /// An object of counts, by name in order of the alphabet.
  public static func counts(_ counts: [String: Int]) -> JSON {
    .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
  }

  /// Seconds with three decimals.
  public static func seconds(_ value: Double) -> JSON {
    let thousandths = Int((value * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return .number("\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction)
  }

  /// The document on one line.
  public var text: String {
    var output = ""
    write(to: &output)
    return output
  }

  private func write(to output: inout String) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    case .number(let digits), .verbatim(let digits): output += digits
    case .string(let value): JSON.quote(value, to: &output)
    case .array(let elements):
      output += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { output += "," }
        element.write(to: &output)
      }
      output += "]"
    case .object(let members):
      output += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { output += "," }
        JSON.quote(member.0, to: &output)
        output += ":"
        member.1.write(to: &output)
      }
      output += "}"
    }
  }

  private static func quote(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let hex = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }

  /// The same document, member by member.
  public static func == (left: JSON, right: JSON) -> Bool { left.text == right.text }
}
