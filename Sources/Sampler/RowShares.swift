/// How the rows of a table are shared out among the ranges of its codes.
enum RowShares {
  /// The fewest rows that ranges can do with.
  static func least(_ ranges: [CodeRange]) -> Int {
    ranges.reduce(0) { $0 + $1.least * $1.parts.count }
  }

  /// The most rows that ranges can make.
  ///
  /// `variants`: how often a code without parts may come again under another modifier.
  static func most(_ ranges: [CodeRange], variants: Int) -> Int {
    ranges.reduce(0) { $0 + room($1, variants) }
  }

  /// The rows of each range: what it has at the least, the rest by the shares, none beyond its room.
  /// - Returns: nil when there are too few or too many rows.
  static func rows(_ wanted: Int, ranges: [CodeRange], variants: Int) -> [Int]? {
    var rows = ranges.map { $0.least * $0.parts.count }
    var left = wanted - rows.reduce(0, +)
    guard left >= 0 else { return nil }
    while left > 0 {
      let open = ranges.indices.filter { room(ranges[$0], variants) - rows[$0] >= ranges[$0].parts.count }
      let shares = open.reduce(0) { $0 + ranges[$1].share }
      guard shares > 0 else { return nil }
      let before = left
      let pot = left
      for index in open {
        let unit = ranges[index].parts.count
        let due = min(pot * ranges[index].share / shares, room(ranges[index], variants) - rows[index])
        rows[index] += due / unit * unit
        left -= due / unit * unit
      }
      if left == before, !giveOne(open, ranges, &rows, &left) { return nil }
    }
    return rows
  }

  /// Gives one code to each range, the largest share first, for as long as there are rows.
  private static func giveOne(
    _ open: [Int], _ ranges: [CodeRange], _ rows: inout [Int], _ left: inout Int
  ) -> Bool {
    let before = left
    for index in open.sorted(by: { (-ranges[$0].share, $0) < (-ranges[$1].share, $1) }) {
      let unit = ranges[index].parts.count
      guard unit <= left else { continue }
      rows[index] += unit
      left -= unit
    }
    return left < before
  }

  private static func room(_ range: CodeRange, _ variants: Int) -> Int {
    range.count * (range.hasParts ? range.parts.count : 1 + variants)
  }
}
