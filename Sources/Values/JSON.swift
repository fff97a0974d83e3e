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

  /// An array with what is made of each element.
  public static func array<Elements: Sequence>(
    of elements: Elements, _ body: (Elements.Element) -> JSON
  ) -> JSON {
    .array(elements.map(body))
  }

  /// An object with a member for each element, in their order.
  public static func object<Elements: Sequence>(
    of elements: Elements, _ member: (Elements.Element) -> (String, any JSONConvertible)
  ) -> JSON {
    .object(
      elements.map {
        let (name, value) = member($0); return (name, value.json)
      })
  }

  /// The members of two objects as one object; what is no object has none.
  public static func + (left: JSON, right: JSON) -> JSON { .object(left.members + right.members) }

  /// The members of an object, in their order; none of what is no object.
  public var members: [(String, JSON)] {
    guard case .object(let members) = self else { return [] }
    return members
  }

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
      case _ where scalar.value >= 0x20 && scalar.value < 0x7f: output.unicodeScalars.append(scalar)
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      // Behind an escape, readers take U+FEFF for a mark of their own and drop it.
      case _ where scalar.steersTerminals || scalar == "\u{FEFF}":
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

/// What can be a value in a JSON document, so that a document is written as a literal:
///
/// ```swift
/// let answer: JSON = ["run": 12, "release": release, "rows": counts, "seconds": JSON.seconds(0.25)]
/// ```
public protocol JSONConvertible {
  /// The value; an optional without one is null.
  var json: JSON { get }
}

extension JSON: JSONConvertible, ExpressibleByDictionaryLiteral {
  /// The value itself.
  public var json: JSON { self }

  /// An object with its members in the order of the literal.
  public init(dictionaryLiteral members: (String, any JSONConvertible)...) {
    self = .object(members.map { ($0, $1.json) })
  }
}

extension Bool: JSONConvertible {
  /// true or false.
  public var json: JSON { .bool(self) }
}

extension Int: JSONConvertible {
  /// A whole number.
  public var json: JSON { .integer(self) }
}

extension String: JSONConvertible {
  /// A string.
  public var json: JSON { .string(self) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  /// The value, or null.
  public var json: JSON { self?.json ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  /// An array.
  public var json: JSON { .array(map(\.json)) }
}
