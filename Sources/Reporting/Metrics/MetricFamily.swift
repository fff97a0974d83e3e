/// One metric with its series, for Prometheus: a name, what it means, and a value for each set of labels.
///
/// ```
/// # HELP rivulet_run_records_read Records of a source that were read.
/// # TYPE rivulet_run_records_read gauge
/// rivulet_run_records_read{pipeline="cms-rvu",source="pprrvu"} 19324
/// ```
public struct MetricFamily: Sendable {
  /// Labels and their values, in the order in which they are written. One without a value is left out.
  public typealias Labels = [(name: String, value: String?)]

  private let name: String
  private let help: String
  private var series: [(labels: String, value: String)] = []

  /// A gauge without a series.
  ///
  /// `name`: by Prometheus' conventions, with its unit at its end.
  public init(_ name: String, _ help: String) { (self.name, self.help) = (name, help) }

  /// Adds a series; its labels must be another's.
  public mutating func add(_ value: Int, _ labels: Labels = []) {
    series.append((Self.text(labels), String(value)))
  }

  /// Adds a series, of a value in seconds, which is written with three decimals.
  public mutating func add(seconds value: Double, _ labels: Labels = []) {
    let thousandths = Int((value * 1000).rounded())
    let fraction = String(thousandths % 1000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    series.append((Self.text(labels), "\(thousandths / 1000).\(zeros)\(fraction)"))
  }

  /// The lines in the exposition format; none where there is no series.
  public var text: String {
    guard !series.isEmpty else { return "" }
    let head =
      "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) gauge\n"
    return head + series.map { "\(name)\($0.labels) \($0.value)\n" }.joined()
  }

  private static func text(_ labels: Labels) -> String {
    let written = labels.compactMap { name, value in
      value.map { "\(name)=\"\(escaped($0, quotes: true))\"" }
    }
    return written.isEmpty ? "" : "{\(written.joined(separator: ","))}"
  }

  /// Text in which a backslash, a line end and, in a label, a quote are no such any more.
  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
