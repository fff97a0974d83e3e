/// Lines over places in an order, such as releases or months; a series is known by its mark and its dashes too.
public struct LineChart: Chart {
  /// A line; nil where it has no value.
  public struct Series: Sendable {
    let name: String
    let values: [Double?]

    /// A line through the values at each place.
    public init(_ name: String, _ values: [Double?]) {
      (self.name, self.values) = (name, values.map { $0.flatMap { $0.isFinite ? $0 : nil } })
    }
  }

  private static let (top, bottom) = (18.0, 196.0)
  private static let dashes = [nil, "7 5", "2 5", "12 4 2 4"]
  private let places: [String]
  private let series: [Series]
  private let scale: ChartScale

  /// Lines over places; of the scale's steps the labels are made with so many decimals.
  public init(_ places: [String], _ series: [Series]) {
    (self.places, self.series) = (places, series)
    scale = ChartScale(series.flatMap(\.values).compactMap(\.self))
  }

  /// The lines and the names of some of the places.
  public var height: Double { Self.bottom + 26 }

  /// The series, where there are several.
  public var legend: [String] { series.count > 1 ? series.map(\.name) : [] }

  /// Grid, lines, marks.
  public var drawing: [Markup] {
    grid + names + series.enumerated().flatMap { line($1, number: $0) }
  }

  /// A piece of the line with its mark.
  public func sample(of series: Int) -> [Markup] {
    [stroke(series, "0", 7, "28", 7), Shape.mark(form: series, colour: series, x: "14", y: 7)]
  }

  private var grid: [Markup] {
    scale.steps.flatMap { step in
      [
        Shape.line("grid", "0", down(step), "100%", down(step)),
        Shape.text(step.decimal(scale.places), x: "0", y: down(step) - 4, isSoft: true),
      ]
    }
  }

  /// The names of at most four places, the first and the last among them, so that they find room on a
  /// telephone.
  private var names: [Markup] {
    let count = min(4, places.count)
    var taken = Set<Int>()
    return (0..<count).compactMap { number in
      let index = count == 1 ? 0 : number * (places.count - 1) / (count - 1)
      guard taken.insert(index).inserted else { return nil }
      let anchor = count == 1 ? "mid" : index == 0 ? "" : index == places.count - 1 ? "end" : "mid"
      return Shape.text(places[index], x: across(index), y: Self.bottom + 19, anchor, isSoft: true)
    }
  }

  private func line(_ series: Series, number: Int) -> [Markup] {
    var drawn: [Markup] = []
    var last: (place: Int, value: Double)?
    for (place, value) in series.values.enumerated() {
      guard let value else {
        last = nil
        continue
      }
      if let last {
        drawn.append(stroke(number, across(last.place), down(last.value), across(place), down(value)))
      }
      last = (place, value)
    }
    guard places.count <= 36 else { return drawn }
    return drawn
      + series.values.enumerated().compactMap { place, value in
        value.map { Shape.mark(form: number, colour: number, x: across(place), y: down($0)) }
      }
  }

  private func stroke(_ series: Int, _ x1: String, _ y1: Double, _ x2: String, _ y2: Double) -> Markup {
    Markup(
      "line",
      [
        "class": "line l\(series % Shape.series)", "x1": x1, "y1": y1.pixels, "x2": x2, "y2": y2.pixels,
        "stroke-dasharray": Self.dashes[series / Shape.series % 2 == 0 ? series % Self.dashes.count : 1],
      ])
  }

  private func across(_ place: Int) -> String {
    (places.count < 2 ? 0.5 : 0.02 + 0.96 * Double(place) / Double(places.count - 1)).percent
  }

  private func down(_ value: Double) -> Double {
    Self.bottom - (Self.bottom - Self.top) * (value - scale.low) / (scale.high - scale.low)
  }
}

/// A scale from round number to round number around some values.
struct ChartScale {
  let low: Double
  let high: Double
  /// Where lines are drawn.
  let steps: [Double]
  /// How many decimals tell the steps apart.
  let places: Int

  /// Zero belongs to it, unless the values are all far from it and close to each other.
  init(_ values: [Double]) {
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    let isFar = least > 0 && (most - least) < least / 2 && most > least
    let (from, to) = (isFar ? least : min(0, least), max(0, most))
    let step = Self.round((to > from ? to - from : 1) / 4)
    low = (from / step).rounded(.down) * step
    high = max(low + step, (to / step).rounded(.up) * step)
    let count = min(12, Int(((high - low) / step).rounded()))
    let first = low
    steps = (0...count).map { first + Double($0) * step }
    var (places, size) = (0, step)
    while size < 0.999, places < 6 { (places, size) = (places + 1, size * 10) }
    self.places = places
  }

  /// The next of 1, 2, 2.5, 5 and 10 times a power of ten; of small ones 2.5 is left out.
  private static func round(_ size: Double) -> Double {
    var unit = 1.0
    while unit * 10 <= size { unit *= 10 }
    while unit > size { unit /= 10 }
    return [1, 2, 5, 10].map { $0 * unit }.first { $0 >= size * 0.999_999 } ?? unit * 10
  }
}
