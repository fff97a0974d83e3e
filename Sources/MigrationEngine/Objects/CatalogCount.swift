import PostgreSQL

/// All of a catalog or, where it is counted page by page, one of its pages.
struct CatalogArea: Hashable {
  let catalog: String
  /// nil for all of them.
  var page: Int?
}

/// The rows of the server's catalogs at one moment: which there are or, of those that were written before another
/// moment, how many.
///
/// A row that is changed or removed is no longer among those from before, so that their number shows whether any
/// was, without a look at what they say: the server keeps the transaction that wrote each version of a row. Where
/// they are listed, it shows which, too.
struct CatalogCount {
  /// The rows of an area.
  private struct Rows: Equatable {
    /// The number of those that are not listed.
    var old: Int
    var listed: Int
    /// The others, with spaces between them: place, transaction, and what is said of the row; see
    /// ``CatalogCounter``.
    var list: String
  }

  /// The first transaction that need not be over at this moment: all rows from it on are listed; nil where all
  /// are.
  private(set) var horizon: UInt32?
  /// The catalogs by the numbers of the files that they are in.
  let files: [String: String]
  private var areas: [CatalogArea: Rows] = [:]

  /// A count of rows that ``CatalogCounter`` has read.
  init(horizon: UInt32?, files: [String: String], _ rows: [Row]) throws {
    self.horizon = horizon
    self.files = files
    for row in rows {
      let area = CatalogArea(catalog: try row.value(0), page: try row.optional(1))
      let listed = try row.value(3, Int.self)
      areas[area] = Rows(old: try row.value(2, Int.self) - listed, listed: listed, list: row[4] ?? "")
    }
  }

  /// How many rows there are.
  var rows: Int { areas.values.reduce(0) { $0 + $1.old + $1.listed } }

  /// The same with some areas as another count has them, which is of them alone and later.
  func replacing(_ areas: Set<CatalogArea>, by later: CatalogCount) -> CatalogCount {
    var count = self
    count.horizon = later.horizon
    let whole = Set(areas.filter { $0.page == nil }.map(\.catalog))
    for area in areas where area.page != nil { count.areas[area] = nil }
    if !whole.isEmpty { count.areas = count.areas.filter { !whole.contains($0.key.catalog) } }
    count.areas.merge(later.areas) { $1 }
    return count
  }

  /// The same with what is written since its own horizon alone, for later ones to be counted from there.
  func settled() -> CatalogCount {
    guard let horizon else { return self }
    var count = self
    for (area, rows) in areas where rows.listed > 0 {
      let recent = rows.list.split(separator: " ").filter {
        Int32(bitPattern: (CatalogCount.transaction(of: $0) ?? horizon) &- horizon) >= 0
      }
      count.areas[area] = Rows(
        old: rows.old + rows.listed - recent.count, listed: recent.count,
        list: recent.joined(separator: " "))
    }
    return count
  }

  /// What was added since an earlier count, from whose horizon on this one has counted, or changed in a way that
  /// alters nothing of what is said of others; nil where that is not all that has changed, or may be.
  func changes(since earlier: CatalogCount) -> Set<CatalogAddress>? {
    guard files == earlier.files else { return nil }
    var changed: Set<CatalogAddress> = []
    /// Rows that came less those that went, by all that is said of them.
    var balance: [Said: Int] = [:]
    let none = Rows(old: 0, listed: 0, list: "")
    for area in Set(areas.keys).union(earlier.areas.keys) where areas[area] != earlier.areas[area] {
      let (now, before) = (areas[area] ?? none, earlier.areas[area] ?? none)
      guard now.old == before.old else { return nil }
      let rows = Set(now.list.split(separator: " "))
      let rowsBefore = Set(before.list.split(separator: " "))
      for row in rows.subtracting(rowsBefore) {
        let said = Said(row, in: area)
        guard let address = said.address else { return nil }
        changed.insert(address)
        balance[said, default: 0] += 1
      }
      for row in rowsBefore.subtracting(rows) { balance[Said(row, in: area), default: 0] -= 1 }
    }
    return balance.allSatisfy { $0.value > 0 || $0.value == 0 && $0.key.isReplaceable } ? changed : nil
  }

  private static func transaction(of row: Substring) -> UInt32? {
    row.split(separator: ":", maxSplits: 2).dropFirst().first.flatMap { UInt32($0) }
  }

  /// What is said of a row: its catalog, what others see of it, and the object that it belongs to.
  private struct Said: Hashable {
    let catalog: String
    private let parts: [Substring]

    init(_ row: Substring, in area: CatalogArea) {
      catalog = area.catalog
      parts = Array(row.split(separator: ":", omittingEmptySubsequences: false).dropFirst(2))
    }

    /// nil where it may change what is said of any object.
    var address: CatalogAddress? {
      parts.count == 3 ? CatalogAddress(catalog: String(parts[1]), number: String(parts[2])) : nil
    }

    /// Whether another version of the row changes what is said of its own object and its family alone.
    var isReplaceable: Bool { parts.count == 3 && !parts[0].isEmpty }
  }
}
