/// How progress is shown on a terminal.
public struct ProgressStyle: Sendable, Equatable {
  /// How many columns the terminal has; no line takes all of them.
  public var columns: Int
  /// How many lines the terminal has; a few of them are left to what else is on it.
  public var rows: Int
  /// Whether bars and what is odd have a colour.
  public var isColoured: Bool
  /// Whether bars are made of blocks, and not of ASCII.
  public var hasBlocks: Bool

  /// A style.
  public init(columns: Int, rows: Int, isColoured: Bool, hasBlocks: Bool) {
    (self.columns, self.rows, self.isColoured, self.hasBlocks) = (columns, rows, isColoured, hasBlocks)
  }

  /// How many columns a line may take: one that is as wide as the terminal may go on in the next.
  var width: Int { max(1, columns - 1) }

  /// How many lines may be shown.
  var lines: Int { max(1, min(rows - Self.spareRows, Self.mostLines)) }

  /// So many lines of the terminal are left alone.
  private static let spareRows = 4
  /// More lines than these nobody follows.
  private static let mostLines = 16

  /// A bar that is full to a share from 0 to 1, in its two pieces.
  func bar(_ share: Double, width: Int) -> (full: String, empty: String) {
    let full = min(width, max(0, Int(share * Double(width))))
    return (
      String(repeating: hasBlocks ? "█" : "#", count: full),
      String(repeating: hasBlocks ? "░" : "-", count: width - full)
    )
  }
}
