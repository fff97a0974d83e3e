import Glibc
import Reporting

/// The growth of each measure as a picture: a line each, held against what it is at the base.
struct GrowthChart {
  private static let (width, height) = (760.0, 300.0)
  private static let (left, right, top, bottom) = (56.0, 200.0, 34.0, 40.0)
  private static let colours = ["#0b6e4f", "#b3541e", "#3d5a98", "#8a3b8f", "#6b6b00"]
  /// The highest share that is drawn; those above are cut off at the top.
  private static let highest = 2.0

  /// An SVG with a chart for each dataset beneath the other.
  static func svg(of datasets: [Growth.Dataset]) -> String {
    let charts = datasets.enumerated().map { number, dataset in
      "<g transform=\"translate(0 \(Int(height) * number))\">\n\(drawing(of: dataset))</g>\n"
    }
    let size = "\(Int(width)) \(Int(height) * datasets.count)"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" font-family="sans-serif" font-size="13">
      <title>What commands take as a database grows</title>
      <rect width="100%" height="100%" fill="#ffffff"/>
      \(charts.joined())</svg>

      """
  }

  private static func drawing(of dataset: Growth.Dataset) -> String {
    let lowest = log10(Double(dataset.sizes[0]))
    let span = log10(Double(dataset.sizes[dataset.sizes.count - 1])) - lowest
    func x(_ size: Int) -> Double { left + (log10(Double(size)) - lowest) / span * (width - left - right) }
    func y(_ share: Double) -> Double {
      height - bottom - min(share, highest) / highest * (height - top - bottom)
    }
    var drawn = text("Against \(dataset.base.grouped) \(dataset.name)", left, 20, "start", "#222222")
    for share in [0, 0.5, 1, 1.5, 2] {
      drawn += line([(left, y(share)), (width - right, y(share))], "#dddddd", 1)
      drawn += text(share.fixed(1), left - 8, y(share) + 4, "end", "#555555")
    }
    for size in dataset.sizes {
      drawn += text(size.grouped, x(size), height - bottom + 20, "middle", "#555555")
    }
    let base = dataset.sizes.firstIndex(of: dataset.base) ?? 0
    // Names at the ends of lines keep a distance from each other.
    var lowestName = Double.infinity
    let ends = dataset.lines.indices.sorted {
      dataset.growth[$0] < dataset.growth[$1]
    }
    for index in ends {
      let measure = dataset.lines[index]
      let shares = measure.values.map { $0 / measure.values[base] }
      let points = zip(dataset.sizes, shares).map { (x($0), y($1)) }
      let place = min(y(shares[shares.count - 1]) + 4, lowestName - 15)
      lowestName = place
      let colour = colours[index % colours.count]
      drawn += line(points, colour, 2)
      drawn += text(measure.name, width - right + 8, place, "start", colour)
    }
    return drawn
  }

  private static func line(_ points: [(x: Double, y: Double)], _ colour: String, _ width: Int) -> String {
    let list = points.map { "\($0.x.fixed(1)),\($0.y.fixed(1))" }.joined(separator: " ")
    return "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(width)\"/>\n"
  }

  private static func text(
    _ words: String, _ x: Double, _ y: Double, _ anchor: String, _ colour: String
  ) -> String {
    "<text x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" text-anchor=\"\(anchor)\" fill=\"\(colour)\">\(words)</text>\n"
  }
}
