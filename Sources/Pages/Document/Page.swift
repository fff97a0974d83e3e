/// A page as values: written as one HTML file that needs nothing else, or as Markdown.
public struct Page: Sendable {
  /// The title.
  public let title: String
  /// What is to be known of the page itself, such as when it was made and from what.
  public let facts: [Fact]
  /// The sections.
  public let sections: [PageSection]
  /// The last line.
  public let footer: String
  /// What wrote it, for programs that look for pages of their own; nil where nobody does.
  public let generator: String?

  /// A name and what it is.
  public struct Fact: Sendable {
    let name: String
    let value: PageCell

    /// A name and what it is.
    public init(_ name: String, _ value: PageCell) { (self.name, self.value) = (name, value) }
  }

  /// A page.
  public init(
    _ title: String, facts: [Fact] = [], sections: [PageSection], footer: String = "",
    generator: String? = nil
  ) {
    (self.title, self.facts, self.sections, self.footer) = (title, facts, sections, footer)
    self.generator = generator
  }

  /// How the head of a page begins that something wrote; what begins in another way is no page of its.
  public static func start(of generator: String) -> String {
    "<!DOCTYPE html>\n<html lang=\"en\"><head>" + mark(of: generator).html
  }

  private static func mark(of generator: String) -> Markup {
    Markup("meta", ["name": "generator", "content": generator])
  }

  /// The page as one HTML file.
  public var html: String { "<!DOCTYPE html>\n" + markup.html + "\n" }

  /// The page as Markdown.
  public var markdown: String {
    var parts = ["# \(title.markdownText)\n", PageBlock.facts(facts).markdown(depth: 1)]
    parts += sections.map { $0.markdown(depth: 2) }
    if !footer.isEmpty { parts.append(footer.markdownText + "\n") }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var markup: Markup {
    Markup("html", ["lang": "en"], [head, body])
  }

  private var head: Markup {
    // The page asks nobody for anything, and runs no script but its own.
    let policy =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(PageScript.digest)'; "
      + "base-uri 'none'; form-action 'none'"
    return Markup(
      "head", [:],
      [
        generator.map(Self.mark) ?? .empty,
        Markup("meta", ["charset": "utf-8"]),
        Markup("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Markup("meta", ["name": "color-scheme", "content": "light dark"]),
        Markup("title", [:], text: title),
        Markup("style", [:], [Markup(node: .trusted(PageStyle.sheet))]),
      ])
  }

  private var body: Markup {
    let listed = sections.map { section in
      Markup("li", [:], [Markup("a", ["href": "#\(section.id)"], text: section.title)])
    }
    return Markup(
      "body", [:],
      [
        Markup("a", ["class": "skip", "href": "#content"], text: "Skip to the content"),
        Figure.patterns,
        Markup(
          "header", [:],
          [Markup("h1", [:], text: title), PageBlock.facts(facts).markup(id: "facts", depth: 1)]),
        listed.count > 1
          ? Markup("nav", ["aria-label": "Sections"], [Markup("ul", [:], listed)]) : .empty,
        Markup("main", ["id": "content", "tabindex": "-1"], sections.map { $0.markup(depth: 2) }),
        footer.isEmpty ? .empty : Markup("footer", [:], [Markup("p", [:], text: footer)]),
        Markup("script", [:], [Markup(node: .trusted(PageScript.source))]),
      ])
  }
}
