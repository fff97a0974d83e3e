/// Bars beneath each other, each under its name and as long as its value; what is below zero goes to the left.
public struct BarChart: Chart {
  /// A bar.
  public struct Bar: Sendable {
    let name: String
    let value: Double
    let shown: String

    /// A bar and its value as it is shown.
    public init(_ name: String, _ value: Double, shown: String) {
      (self.name, self.value, self.shown) = (name, value.isFinite ? value : 0, shown)
    }
  }

  private static let step = 36.0
  private let bars: [Bar]

  /// Bars in their order.
  public init(_ bars: [Bar]) { self.bars = bars }

  /// A line of text and a bar for each.
  public var height: Double { Self.step * Double(max(1, bars.count)) }

  /// The bars on tracks as long as all of the scale.
  public var drawing: [Markup] {
    let low = min(0, bars.map(\.value).min() ?? 0)
    let high = max(0, bars.map(\.value).max() ?? 0)
    let span = high > low ? high - low : 1
    let zero = -low / span
    return bars.enumerated().flatMap { index, bar -> [Markup] in
      let top = Double(index) * Self.step
      let share = bar.value.magnitude / span
      let start = bar.value < 0 ? zero - share : zero
      let track = Markup(
        "rect", ["class": "track", "x": "0", "y": (top + 20).pixels, "width": "100%", "height": "9"])
      let axis = low < 0 ? [Shape.line("zero", zero.percent, top + 18, zero.percent, top + 31)] : []
      return [
        Shape.text(bar.name, x: "0", y: top + 14), Shape.text(bar.shown, x: "100%", y: top + 14, "end"),
        track,
      ]
        + Shape.bar(
          series: bar.value < 0 ? 1 : 0, x: start.percent, y: top + 20, width: share.percent, height: 9)
        + axis
    }
  }
}

/// Bars of parts beneath each other, such as the stages of runs.
public struct StackedBars: Chart {
  /// A bar of parts, each of a series and so long.
  public struct Bar: Sendable {
    let name: String
    let shown: String
    let parts: [(series: Int, value: Double)]

    /// A bar and what is shown at its end.
    public init(_ name: String, shown: String, parts: [(series: Int, value: Double)]) {
      (self.name, self.shown) = (name, shown)
      self.parts = parts.filter { $0.value.isFinite && $0.value > 0 }
    }
  }

  private static let step = 38.0
  private let bars: [Bar]
  /// The names of the series.
  public let legend: [String]

  /// Bars of these series.
  public init(series: [String], _ bars: [Bar]) { (legend, self.bars) = (series, bars) }

  /// A line of text and a bar for each.
  public var height: Double { Self.step * Double(max(1, bars.count)) }

  /// The bars, the longest as wide as the chart.
  public var drawing: [Markup] {
    let longest = bars.map { $0.parts.reduce(0) { $0 + $1.value } }.max() ?? 0
    let span = longest > 0 ? longest : 1
    return bars.enumerated().flatMap { index, bar -> [Markup] in
      let top = Double(index) * Self.step
      var drawn = [
        Shape.text(bar.name, x: "0", y: top + 14), Shape.text(bar.shown, x: "100%", y: top + 14, "end"),
        Markup(
          "rect", ["class": "track", "x": "0", "y": (top + 20).pixels, "width": "100%", "height": "11"]),
      ]
      var start = 0.0
      for part in bar.parts {
        drawn += Shape.bar(
          series: part.series, x: (start / span).percent, y: top + 20, width: (part.value / span).percent,
          height: 11)
        start += part.value
      }
      return drawn
    }
  }
}
