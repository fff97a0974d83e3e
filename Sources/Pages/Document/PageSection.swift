/// A part of a page under a heading.
public struct PageSection: Sendable {
  /// What a link to it ends with: letters, digits and dashes.
  public let id: String
  /// The heading.
  public let title: String
  /// What it holds.
  public var blocks: [PageBlock]

  /// A section; its place in links is made of the heading where none is given.
  public init(_ title: String, id: String? = nil, _ blocks: [PageBlock]) {
    self.title = title
    self.id = Self.place(id ?? title)
    self.blocks = blocks
  }

  /// A text as the end of a link.
  public static func place(_ text: String) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "section" : words.joined(separator: "-")
  }
}

/// What a section holds.
public indirect enum PageBlock: Sendable {
  /// Sentences.
  case text(String)
  /// A sentence that must not be missed.
  case note(String, Tone)
  /// Names and what they are.
  case facts([Page.Fact])
  /// A table.
  case table(PageTable)
  /// A chart with its numbers.
  case figure(Figure)
  /// Charts beside each other where there is room.
  case row([Figure])
  /// A graph with its edges as a table.
  case graph(LayeredGraph)
  /// Text of a program, such as SQL, as it is written.
  case code(String)
  /// What few readers need, to be opened.
  case details(String, [PageBlock])
  /// A section of its own within this one.
  case section(PageSection)
}

extension PageSection {
  func markup(depth: Int) -> Markup {
    let heading = "\(id)-h"
    let title: Markup
    switch depth {
    case 2: title = Markup("h2", ["id": heading], text: self.title)
    case 3: title = Markup("h3", ["id": heading], text: self.title)
    default: title = Markup("h4", ["id": heading], text: self.title)
    }
    let content = blocks.enumerated().map { $1.markup(id: "\(id)-\($0)", depth: depth) }
    // Sections of sections are no landmarks: there would be too many to walk through.
    return Markup("section", ["id": id, "aria-labelledby": depth == 2 ? heading : nil], [title] + content)
  }

  func markdown(depth: Int) -> String {
    let title = String(repeating: "#", count: depth) + " \(self.title.markdownText)\n"
    return ([title] + blocks.map { $0.markdown(depth: depth) }).joined(separator: "\n")
  }
}

extension PageBlock {
  func markup(id: String, depth: Int) -> Markup {
    switch self {
    case .text(let text): return Markup("p", [:], text: text)
    case .note(let text, let tone):
      return Markup("p", ["class": "note \(tone.rawValue)"], [tone.markup, Markup(text: text)])
    case .facts(let facts):
      guard !facts.isEmpty else { return .empty }
      let rows = facts.map { fact in
        let shown = Markup(text: fact.value.text)
        let linked = fact.value.link.map { Markup("a", ["href": $0], [shown]) } ?? shown
        let value = fact.value.tone.map {
          Markup("span", ["class": "tone \($0.rawValue)"], [$0.markup, linked])
        }
        return Markup("div", [:], [Markup("dt", [:], text: fact.name), Markup("dd", [:], [value ?? linked])])
      }
      return Markup("dl", ["class": "facts"], rows)
    case .table(let table): return table.markup(id: id)
    case .figure(let figure): return figure.markup(id: id)
    case .graph(let graph): return graph.markup(id: id)
    case .row(let figures):
      return Markup("div", ["class": "row"], figures.enumerated().map { $1.markup(id: "\(id)-\($0)") })
    case .code(let text):
      return Markup("pre", ["tabindex": "0"], [Markup("code", [:], text: text)])
    case .details(let title, let blocks):
      return Markup(
        "details", [:],
        [Markup("summary", [:], text: title)]
          + blocks.enumerated().map { $1.markup(id: "\(id)-\($0)", depth: depth) })
    case .section(let section): return section.markup(depth: depth + 1)
    }
  }

  func markdown(depth: Int) -> String {
    switch self {
    case .text(let text): return text.markdownText + "\n"
    case .note(let text, let tone): return "> \(tone.sign) \(text.markdownText)\n"
    case .facts(let facts):
      return facts.map { "- \($0.name.markdownText): \($0.value.text.markdownText)\n" }.joined()
    case .table(let table): return table.markdown
    case .figure(let figure): return figure.markdown
    case .graph(let graph): return graph.description.markdownText + "\n\n" + graph.table.markdown
    case .row(let figures): return figures.map(\.markdown).joined(separator: "\n")
    case .code(let text):
      // A fence is longer than any within.
      let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(3, longest + 1))
      return "\(fence)\n\(text)\n\(fence)\n"
    case .details(let title, let blocks):
      return (["\(title.markdownText)\n"] + blocks.map { $0.markdown(depth: depth) }).joined(separator: "\n")
    case .section(let section): return section.markdown(depth: depth + 1)
    }
  }
}
