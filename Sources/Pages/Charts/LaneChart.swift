/// What happened when: a lane for each subject, with marks along a common time.
public struct LaneChart: Chart {
  /// A mark: where in time it is, from 0 to 1, and which series it is of.
  public struct Mark: Sendable {
    let place: Double
    let series: Int

    /// A mark.
    public init(at place: Double, series: Int) { (self.place, self.series) = (min(1, max(0, place)), series) }
  }

  /// A subject with its marks.
  public struct Lane: Sendable {
    let name: String
    let shown: String
    let marks: [Mark]

    /// A lane; `shown` is at its end.
    public init(_ name: String, shown: String, _ marks: [Mark]) {
      (self.name, self.shown, self.marks) = (name, shown, marks)
    }
  }

  private static let step = 44.0
  private let lanes: [Lane]
  private let ends: (from: String, to: String)
  private let series: [(name: String, tone: Tone)]

  /// Lanes from one moment to another.
  public init(series: [(name: String, tone: Tone)], from: String, to: String, _ lanes: [Lane]) {
    (self.series, ends, self.lanes) = (series, (from, to), lanes)
  }

  /// What each form of mark means.
  public var legend: [String] { series.map(\.name) }

  /// The lanes and the ends of the time.
  public var height: Double { Self.step * Double(lanes.count) + 20 }

  /// A mark as it is drawn.
  public func sample(of series: Int) -> [Markup] { [mark(of: series, x: "14", y: 7)] }

  /// Names above their lanes.
  public var drawing: [Markup] {
    let ends = [
      Shape.text(ends.from, x: "0", y: height - 4, isSoft: true),
      Shape.text(ends.to, x: "100%", y: height - 4, "end", isSoft: true),
    ]
    return lanes.enumerated().flatMap { index, lane -> [Markup] in
      let top = Double(index) * Self.step
      return [
        Shape.text(lane.name, x: "0", y: top + 14),
        Shape.text(lane.shown, x: "100%", y: top + 14, "end", isSoft: true),
        Shape.line("grid", "0", top + 28, "100%", top + 28),
      ] + lane.marks.map { mark(of: $0.series, x: (0.015 + 0.97 * $0.place).percent, y: top + 28) }
    } + ends
  }

  private func mark(of series: Int, x: String, y: Double) -> Markup {
    let colour =
      switch self.series.indices.contains(series) ? self.series[series].tone : .neutral {
      case .good: 0
      case .warning: 1
      case .bad: 4
      case .neutral: 5
      }
    return Shape.mark(form: series, colour: colour, x: x, y: y)
  }
}
