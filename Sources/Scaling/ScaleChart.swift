import Glibc
import Pages

/// How long each piece of work takes as workers are added: a line each, both axes by powers. A dot is filled
/// where the workers bound the work, and empty where something else does, which more workers do not change.
public struct ScaleChart {
  private static let (width, height) = (860.0, 440.0)
  private static let (left, right, top, bottom) = (64.0, 320.0, 44.0, 44.0)
  private static let ticks: [(seconds: Double, name: String)] = [
    (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3_600, "1 h"),
    (36_000, "10 h"), (360_000, "100 h"),
  ]
  /// Light, and dark where its reader's system is.
  private static let style = """
    .ground { fill: #ffffff } .grid { stroke: #dddddd } text { fill: #222222 } .soft { fill: #555555 }
    .c0 { --c: #0b6e4f } .c1 { --c: #b3541e } .c2 { --c: #3d5a98 } .c3 { --c: #8a3b8f } .c4 { --c: #6b6b00 }
    .c5 { --c: #a8323e } .c6 { --c: #0d7d7a } .c7 { --c: #5f6b76 }
    polyline { fill: none; stroke-width: 2; stroke: var(--c) }
    .full { fill: var(--c); stroke: var(--c) } .empty { fill: #ffffff; stroke: var(--c); stroke-width: 2 }
    .name { fill: var(--c) }
    @media (prefers-color-scheme: dark) {
    .ground, .empty { fill: #14191f } .grid { stroke: #333d47 } text { fill: #e6eaee } .soft { fill: #a5b0bb }
    .c0 { --c: #6fcfa9 } .c1 { --c: #f0a060 } .c2 { --c: #8fb0f0 } .c3 { --c: #d79ade } .c4 { --c: #d3d34a }
    .c5 { --c: #f08a90 } .c6 { --c: #58c8c2 } .c7 { --c: #a9b4be }
    .full, .name { fill: var(--c) }
    }
    """

  private let question: ScaleQuestion

  /// Of what was measured.
  public init(_ figures: ScaleFigures) throws { question = try ScaleQuestion(figures) }

  /// The picture as SVG.
  public func svg() throws -> String {
    let lines = try question.work.map { work in
      (work.name, try question.clusters.map { try question.estimate(work, on: $0) })
    }
    let (width, height) = (Self.width.pixelText, Self.height.pixelText)
    let drawn = [
      Markup("title", [:], text: "How long work takes on 1, 4, 16 and 64 workers, as the model has it"),
      Markup("style", [:], text: Self.style),
      Markup("rect", ["class": "ground", "width": width, "height": height]),
      text("50 million providers, 10 billion procedures", Self.left, 20),
      text("filled: the workers bound it; empty: something else does", Self.left, 36, "soft"),
    ]
    return Markup(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(width) \(height)",
        "font-family": "sans-serif", "font-size": "13",
      ], drawn + axes() + pictures(lines)
    ).html.split(separator: "><").joined(separator: ">\n<") + "\n"
  }

  private func axes() -> [Markup] {
    Self.ticks.flatMap { tick in
      [
        Markup(
          "line",
          [
            "class": "grid", "x1": Self.left.pixelText, "x2": (Self.width - Self.right).pixelText,
            "y1": y(tick.seconds).pixelText, "y2": y(tick.seconds).pixelText,
          ]),
        text(tick.name, Self.left - 8, y(tick.seconds) + 4, "soft", "end"),
      ]
    }
      + question.clusters.map { cluster in
        let name = cluster.workers == 1 ? "1 worker" : "\(cluster.workers)"
        return text(name, x(cluster), Self.height - Self.bottom + 22, "soft", "middle")
      }
  }

  private func pictures(_ lines: [(name: String, estimates: [Estimate])]) -> [Markup] {
    // Names at the ends of lines keep a distance from each other, from the lowest line on.
    var lowest = Double.infinity
    let order = lines.indices.sorted {
      (lines[$0].estimates.last?.seconds ?? 0) < (lines[$1].estimates.last?.seconds ?? 0)
    }
    return order.map { index in
      let places = zip(question.clusters, lines[index].estimates).map { (x($0), y($1.seconds), $1.bound) }
      let place = min((places.last?.1 ?? 0) + 4, lowest - 16)
      lowest = place
      let points = places.map { "\($0.0.pixelText),\($0.1.pixelText)" }
      return Markup(
        "g", ["class": "c\(index)"],
        [Markup("polyline", ["points": points.joined(separator: " ")])]
          + places.map { x, y, bound in
            Markup(
              "circle",
              [
                "class": bound == .workers ? "full" : "empty", "cx": x.pixelText, "cy": y.pixelText, "r": "4",
              ])
          } + [text(lines[index].name, Self.width - Self.right + 12, place, "name")])
    }
  }

  private func x(_ cluster: ScaledCluster) -> Double {
    let last = log(Double(question.clusters.last?.workers ?? 2))
    return Self.left + log(Double(cluster.workers)) / last * (Self.width - Self.left - Self.right - 12)
  }

  private func y(_ seconds: Double) -> Double {
    let (low, high) = (log(Self.ticks[0].seconds), log(Self.ticks[Self.ticks.count - 1].seconds))
    let share = (log(seconds) - low) / (high - low)
    return Self.height - Self.bottom - max(0, min(1, share)) * (Self.height - Self.top - Self.bottom)
  }

  private func text(
    _ words: String, _ x: Double, _ y: Double, _ name: String? = nil, _ anchor: String? = nil
  ) -> Markup {
    Markup(
      "text", ["class": name, "x": x.pixelText, "y": y.pixelText, "text-anchor": anchor], text: words)
  }
}

extension Double {
  /// As an attribute has it.
  fileprivate var pixelText: String { decimal(1).filter { $0 != "," } }
}
