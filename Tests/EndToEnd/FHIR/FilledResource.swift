import Foundation

/// A made-up resource in which every element has a value that nothing else has.
struct FilledResource {
  /// A value and the names that lead to it.
  struct Leaf {
    let path: String
    /// The elements that lead to it, each with the type that has it.
    let elements: [String]
    let text: String
    var isFlag: Bool { text == "true" }
  }

  let kind: String
  let id: String
  /// The values, in the order of the elements.
  private(set) var leaves: [Leaf] = []
  private var number = 0
  private let types: [String: [FHIRElements.Element]]
  private var object: [String: Any] = [:]

  /// `isNetwork`: the resource is an organisation that is a network.
  init(_ kind: String, _ version: FHIRElements.Version, isNetwork: Bool = false) {
    (self.kind, types) = (kind, FHIRElements.types(of: version))
    id = isNetwork ? "Network-1" : kind + "-1"
    object = filled(kind, [])
    if isNetwork {
      var kinds = object["type"] as? [[String: Any]] ?? []
      kinds.append(["coding": [["code": "ntwk"]]])
      object["type"] = kinds
    }
    object["resourceType"] = kind
    object["id"] = id
  }

  /// A line of JSON.
  func json() throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
  }

  private mutating func filled(_ type: String, _ way: [FHIRElements.Element]) -> [String: Any] {
    var object: [String: Any] = [:]
    for element in types[type] ?? [] {
      let way = way + [element]
      let value: Any = types[element.type] == nil ? leaf(element.type, way) : filled(element.type, way)
      object[element.name] = element.repeats ? [value] : value
    }
    return object
  }

  private mutating func leaf(_ type: String, _ way: [FHIRElements.Element]) -> Any {
    number += 1
    let digits = String(repeating: "0", count: 4 - String(number).count) + String(number)
    let day = Calendar(identifier: .gregorian).date(
      byAdding: .day, value: number, to: Date(timeIntervalSince1970: 946_684_800))
    let dayText = ISO8601DateFormatter.string(
      from: day ?? Date(), timeZone: .gmt, formatOptions: [.withFullDate])
    let (value, text): (Any, String) =
      switch type {
      case "boolean": (true, "true")
      case "instant": (dayText + "T00:00:00Z", dayText)
      case "date", "dateTime": (dayText, dayText)
      case "time":
        {
          let time = "\(10 + number / 60 % 10):\(10 + number % 50):\(10 + number % 40)"; return (time, time)
        }()
      case "decimal": (NSDecimalNumber(string: "1." + digits), "1." + digits)
      case "positiveInt", "unsignedInt": (70_000 + number, String(70_000 + number))
      case "reference": ("Organization/x\(digits)x", "x\(digits)x")
      default: ("x\(digits)x", "x\(digits)x")
      }
    leaves.append(
      Leaf(path: way.map(\.name).joined(separator: "."), elements: way.map(\.whole), text: text))
    return value
  }
}
