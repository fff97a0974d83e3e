import TestSupport
import Testing

/// Scripts that look for what is wrong with a page.
enum PageChecks {
  /// The elements with text whose contrast to what is behind them is below 4.5, as the WCAG computes it.
  static let poorContrast = """
    (() => {
      const parse = (text) => text.match(/[\\d.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const ground = (e) => {
        for (; e; e = e.parentElement) {
          const colour = parse(getComputedStyle(e).backgroundColor);
          if (colour.length === 3 || colour[3] > 0) return colour;
        }
      };
      const poor = new Set();
      for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
        if (['SCRIPT', 'STYLE', 'title', 'desc'].includes(e.tagName)) continue;
        const isDrawn = e instanceof SVGElement;
        const [a, b] = [light(parse(getComputedStyle(e)[isDrawn ? 'fill' : 'color'])), light(ground(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (!(ratio >= 4.5)) poor.add(e.tagName + '.' + e.getAttribute('class') + ' ' + ratio.toFixed(2));
      }
      return [...poor];
    })()
    """
}

extension Browser {
  /// The value of an expression that gives texts.
  func texts(_ script: String) throws -> [String] { try evaluate(script) as? [String] ?? ["?"] }

  /// Expects of the page that is open what readers of the screen need: landmarks, headings in order, a name for all
  /// that can be used, and no reference that leads nowhere. Gives its nodes.
  @discardableResult
  func expectAccessible(_ page: String = "") throws -> [(role: String, name: String)] {
    try evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    let nodes = try accessibleNodes()
    for role in ["banner", "navigation", "main", "contentinfo"] {
      #expect(nodes.count { $0.role == role } == 1, "\(page): \(role)")
    }
    let nameless = nodes.filter {
      ["button", "link", "searchbox", "image", "img", "region", "table", "heading"].contains($0.role)
        && $0.name.isEmpty
    }
    #expect(nameless.isEmpty, "\(page): \(nameless)")
    let levels = try texts("[...document.querySelectorAll('h1,h2,h3,h4')].map(heading => heading.tagName)")
      .compactMap { $0.last?.wholeNumberValue }
    #expect(levels.first == 1 && levels.count { $0 == 1 } == 1, "\(page)")
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(page): \(levels)")
    let twice =
      "[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i)"
    let repeated = try texts(twice)
    #expect(repeated == [], "\(page)")
    let lost = """
      [...document.querySelectorAll('[aria-labelledby],a[href^="#"]')].flatMap(e =>
        (e.getAttribute('aria-labelledby') ?? e.getAttribute('href').slice(1)).split(' '))
        .filter(id => !document.getElementById(id))
      """
    #expect(try texts(lost) == [], "\(page)")
    return nodes
  }
}
