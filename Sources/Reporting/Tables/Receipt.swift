import Values

/// One thing, shown to people: a title, and lines of a label and a sentence beside it.
public struct Receipt: Sendable {
  private let title: String
  private var lines: [(label: String, text: String)] = []

  /// A receipt without lines; what would steer a terminal is shown by its number.
  public init(title: String) { self.title = title.printable(keepsLines: false) }

  /// Adds a line.
  public mutating func add(_ label: String, _ text: String) {
    lines.append((label, text.printable(keepsLines: false)))
  }

  /// The receipt as lines, each ended; a sentence that the terminal has no room for goes on below itself.
  public func text(in style: TableStyle) -> String {
    let labels = lines.reduce(0) { max($0, style.width(of: $1.label)) }
    let room = style.width.map { max(8, $0 - labels - 4) }
    var text = title.isEmpty ? "" : title + "\n"
    for line in lines {
      let parts = room.map { line.text.wrapped(toColumns: $0) } ?? [line.text]
      for (index, part) in parts.enumerated() {
        let label = index == 0 ? line.label : ""
        let gap = String(repeating: " ", count: labels - style.width(of: label) + 2)
        text += "  " + label + gap + part + "\n"
      }
    }
    return text
  }
}
