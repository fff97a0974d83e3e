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
