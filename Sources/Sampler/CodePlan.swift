/// Which codes a table has, and how its rows are shared out among their ranges.
struct CodePlan {
  let ranges: [CodeRange]
  /// The modifiers under which a code without parts comes again when codes run out.
  let variants: [String]
  /// The built-in columns, in the order of their places.
  static let builtIn = ["code", "part", "kind", "nth", "item", "row"]

  /// The fewest rows that the ranges can do with.
  private var least: Int { ranges.reduce(0) { $0 + $1.least * $1.parts.count } }
  /// The most rows that they can make.
  private var most: Int { ranges.reduce(0) { $0 + room($1) } }

  private func room(_ range: CodeRange) -> Int {
    range.count * (range.hasParts ? range.parts.count : 1 + variants.count)
  }

  /// The rows of each range: what it has at the least, the rest by the shares, none beyond its room.
  /// - Throws: ``SampleError/rows(_:least:most:)`` when there are too few or too many.
  func rows(_ wanted: Int) throws(SampleError) -> [Int] {
    var rows = ranges.map { $0.least * $0.parts.count }
    var left = wanted - rows.reduce(0, +)
    while left > 0 {
      let open = ranges.indices.filter { room(ranges[$0]) - rows[$0] >= ranges[$0].parts.count }
      let shares = open.reduce(0) { $0 + ranges[$1].share }
      guard shares > 0 else { break }
      let before = left
      func give(_ count: Int, to index: Int) {
        let unit = ranges[index].parts.count
        rows[index] += count / unit * unit
        left -= count / unit * unit
      }
      for index in open {
        give(min(before * ranges[index].share / shares, room(ranges[index]) - rows[index]), to: index)
      }
      if left < before { continue }
      // One code to each range, the largest share first, for as long as there are rows.
      for index in open.sorted(by: { (-ranges[$0].share, $0) < (-ranges[$1].share, $1) }) {
        let unit = ranges[index].parts.count
        if unit <= left { give(unit, to: index) }
      }
      if left == before { break }
    }
    if left != 0 { throw .rows(wanted, least: least, most: most) }
    return rows
  }
}
