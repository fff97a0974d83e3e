/// A chart with a title, a sentence that says what it shows, and its numbers as a table beneath.
public struct Figure: Sendable {
  let title: String
  let description: String
  let chart: any Chart
  let table: PageTable

  /// A chart; the table has the numbers that it is drawn from.
  public init(_ title: String, _ description: String, chart: any Chart, table: PageTable) {
    (self.title, self.description, self.chart, self.table) = (title, description, chart, table)
  }
}

/// What can be drawn.
///
/// Places across are shares of the width, so that a chart is as wide as there is room and its text as large as
/// any other; places down are pixels.
public protocol Chart: Sendable {
  /// How high it is, in pixels.
  var height: Double { get }
  /// What its series are called, in their order; empty where there is one.
  var legend: [String] { get }
  /// What is drawn.
  var drawing: [Markup] { get }
  /// The sign of a series in the legend.
  func sample(of series: Int) -> [Markup]
}

extension Chart {
  /// Nothing to tell apart.
  public var legend: [String] { [] }
  /// A filled square, hatched as the bars are.
  public func sample(of series: Int) -> [Markup] {
    Shape.bar(series: series, x: "0", y: 1, width: "28", height: 12)
  }
}

extension Figure {
  /// The pattern of hatched bars; once a page.
  static var patterns: Markup {
    Markup(
      "svg", ["class": "defs", "aria-hidden": "true"],
      [
        Markup(
          "defs", [:],
          [
            Markup(
              "pattern",
              [
                "id": "hatch", "width": "7", "height": "7", "patternUnits": "userSpaceOnUse",
                "patternTransform": "rotate(45)",
              ],
              [Markup("line", ["class": "hatch", "x1": "0", "y1": "0", "x2": "0", "y2": "7"])])
          ])
      ])
  }

  func markup(id: String) -> Markup {
    guard !table.isEmpty else {
      return Markup(
        "figure", [:], [caption, Markup("p", ["class": "none"], text: table.ifEmpty)])
    }
    let svg = Markup(
      "svg",
      ["role": "img", "aria-labelledby": "\(id)-t \(id)-d", "height": chart.height.pixels],
      [
        Markup("title", ["id": "\(id)-t"], text: title),
        Markup("desc", ["id": "\(id)-d"], text: description + " The numbers are in the table beneath."),
        Markup("g", ["aria-hidden": "true"], chart.drawing),
      ])
    let legend = chart.legend.enumerated().map { index, name in
      Markup(
        "li", [:],
        [
          Markup("svg", ["aria-hidden": "true", "viewBox": "0 0 28 14"], chart.sample(of: index)),
          Markup("span", [:], text: name),
        ])
    }
    return Markup(
      "figure", [:],
      [
        caption, svg, legend.isEmpty ? .empty : Markup("ul", ["class": "legend"], legend),
        Markup(
          "details", [:],
          [Markup("summary", [:], text: "The numbers: \(title)"), table.markup(id: "\(id)-c")]),
      ])
  }

  private var caption: Markup {
    Markup("figcaption", [:], [Markup(text: title), Markup("span", [:], text: description)])
  }

  /// Its numbers.
  var markdown: String { description.markdownText + "\n\n" + table.markdown }
}

/// Shapes that charts are drawn of.
enum Shape {
  /// How many series have a colour of their own.
  static let series = 8

  /// A bar; every second series is hatched, so that neighbours differ without their colour.
  static func bar(series: Int, x: String, y: Double, width: String, height: Double) -> [Markup] {
    let bar = { (name: String) in
      Markup("rect", ["class": name, "x": x, "y": y.pixels, "width": width, "height": height.pixels])
    }
    let isHatched = series % 2 == 1
    return [bar("f\(series % Self.series)")] + (isHatched ? [bar("hatched")] : [])
  }

  /// Text; `anchor` is `end` or `mid` where it does not begin at its place.
  static func text(_ text: String, x: String, y: Double, _ anchor: String = "", isSoft: Bool = false)
    -> Markup
  {
    let names = (isSoft ? "soft " : "") + anchor
    return Markup("text", ["class": names.isEmpty ? nil : names, "x": x, "y": y.pixels], text: text)
  }

  static func line(_ name: String, _ x1: String, _ y1: Double, _ x2: String, _ y2: Double) -> Markup {
    Markup("line", ["class": name, "x1": x1, "y1": y1.pixels, "x2": x2, "y2": y2.pixels])
  }

  /// A mark whose form says which series it is of.
  static func mark(form: Int, colour: Int, x: String, y: Double) -> Markup {
    let forms = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-4-4H4V4H-4Z", "M0-5L5 4H-5Z", "M0-5L5 0L0 5L-5 0Z"]
    return Markup(
      "svg", ["x": x, "y": y.pixels, "width": "1", "height": "1", "overflow": "visible"],
      [Markup("path", ["class": "f\(colour % Self.series)", "d": forms[form % forms.count]])])
  }
}

extension Double {
  /// As an attribute has it.
  var pixels: String { plain(1) }
  /// A share of the width.
  var percent: String { (self * 100).plain(2) + "%" }

  private func plain(_ places: Int) -> String {
    var text = decimal(places).filter { $0 != "," }
    while text.contains("."), text.last == "0" || text.last == "." { text.removeLast() }
    return text
  }
}
