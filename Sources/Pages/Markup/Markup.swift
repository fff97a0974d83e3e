import Values

/// A piece of a page: text, an element, or several of them.
///
/// Whatever text is put in is escaped when the page is written; names of elements and attributes are literals
/// of the source, so that no value can become one:
///
///     Markup("p", ["class": "note"], ["rows: ", Markup(text: name)])
public struct Markup: Sendable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  /// What an element says beside its content, in the order in which it is written; nil leaves one out.
  public typealias Attributes = KeyValuePairs<StaticString, String?>

  enum Node: Sendable {
    case text(String)
    case list([Markup])
    case element(String, [(name: String, value: String)], [Markup])
    /// Style sheets and scripts of this module, which are no text to a browser.
    case trusted(StaticString)
  }

  let node: Node

  init(node: Node) { self.node = node }

  /// Text; what would steer a terminal or turn the direction of what follows is shown by its number.
  public init(text: String) { node = .text(text) }

  /// Text.
  public init(stringLiteral text: String) { node = .text(text) }

  /// Several, one after the other.
  public init(arrayLiteral pieces: Markup...) { node = .list(pieces) }

  /// Several, one after the other.
  public init(_ pieces: [Markup]) { node = .list(pieces) }

  /// Nothing.
  public static var empty: Markup { Markup([]) }

  /// An element with its attributes and content.
  ///
  /// A link that leads to anything but a place on the page, a page beside it or the web is left out.
  public init(_ name: StaticString, _ attributes: Attributes, _ content: [Markup] = []) {
    let written = attributes.compactMap { name, value in value.map { (name: "\(name)", value: $0) } }
    node = .element("\(name)", written.filter { $0.name != "href" || Self.isHarmless($0.value) }, content)
  }

  /// An element with text alone.
  public init(_ name: StaticString, _ attributes: Attributes, text: String) {
    self.init(name, attributes, [Markup(text: text)])
  }

  /// The markup as text.
  public var html: String {
    var output = ""
    write(to: &output)
    return output
  }

  /// Whether following a link runs nothing: a scheme comes before the first slash, if at all.
  private static func isHarmless(_ link: String) -> Bool {
    if ["https://", "http://", "mailto:", "#"].contains(where: link.hasPrefix) { return true }
    return !link.hasPrefix("//") && !link.prefix { $0 != "/" && $0 != "#" && $0 != "?" }.contains(":")
      && link.unicodeScalars.allSatisfy { $0.value > 0x20 }
  }
}

extension Markup {
  /// Elements that have no content and no end.
  private static let void: Set<String> = ["meta", "br", "hr", "input", "col"]

  private func write(to output: inout String) {
    switch node {
    case .text(let text): Self.escape(text, to: &output)
    case .list(let pieces): for piece in pieces { piece.write(to: &output) }
    case .trusted(let text): output += "\(text)"
    case .element(let name, let attributes, let content):
      output += "<\(name)"
      for (name, value) in attributes {
        output += " \(name)=\""
        Self.escape(value, to: &output)
        output += "\""
      }
      output += ">"
      guard !Self.void.contains(name) else { return }
      for piece in content { piece.write(to: &output) }
      output += "</\(name)>"
    }
  }

  private static func escape(_ text: String, to output: inout String) {
    for scalar in text.printable().unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}
