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
  /// By their catalogs and pages.
  private var rows: [String: [Int?: Rows]] = [:]
  /// The areas that may have other rows than the settled count which this one comes from; nil for all.
  private var recounted: Set<CatalogArea>?

  /// A count of rows that ``CatalogCounter`` has read.
  init(horizon: UInt32?, files: [String: String], _ rows: [Row]) throws {
    self.horizon = horizon
    self.files = files
    for row in rows {
      let listed = try row.value(3, Int.self)
      self.rows[try row.value(0), default: [:]][try row.optional(1)] = Rows(
        old: try row.value(2, Int.self) - listed, listed: listed, list: row[4] ?? "")
    }
  }

  /// How many rows there are.
  var size: Int { rows.values.reduce(0) { $1.values.reduce($0) { $0 + $1.old + $1.listed } } }

  /// The same with some areas as another count has them, which is of them alone and later.
  func replacing(_ areas: Set<CatalogArea>, by later: CatalogCount) -> CatalogCount {
    var count = self
    count.horizon = later.horizon
    for area in areas {
      let catalog = area.catalog
      if let page = area.page {
        count.rows[catalog, default: [:]][page] = later.rows[catalog]?[page]
        count.recounted?.insert(area)
      } else {
        count.recounted?.formUnion(self.areas(of: catalog) + later.areas(of: catalog))
        count.rows[catalog] = later.rows[catalog]
      }
    }
    return count
  }

  private func areas(of catalog: String) -> [CatalogArea] {
    (rows[catalog] ?? [:]).keys.map { CatalogArea(catalog: catalog, page: $0) }
  }

  /// The same with what is written since its own horizon alone, for later ones to be counted from there.
  func settled() -> CatalogCount {
    var count = self
    count.recounted = []
    guard let horizon else { return count }
    count.rows = rows.mapValues { pages in
      pages.mapValues { rows in
        if rows.listed == 0 { return rows }
        let recent = rows.list.split(separator: " ").filter {
          Int32(bitPattern: (CatalogCount.transaction(of: $0) ?? horizon) &- horizon) >= 0
        }
        return Rows(
          old: rows.old + rows.listed - recent.count, listed: recent.count,
          list: recent.joined(separator: " "))
      }
    }
    return count
  }

  /// What was added since an earlier count, which was settled and from whose horizon on this one has counted, or
  /// changed in a way that alters nothing of what is said of others; nil where that is not all that has changed, or
  /// may be.
  func changes(since earlier: CatalogCount) -> Set<CatalogAddress>? {
    guard files == earlier.files else { return nil }
    var changed: Set<CatalogAddress> = []
    /// Rows that came less those that went, by all that is said of them.
    var balance: [Said: Int] = [:]
    let catalogs = Set(rows.keys).union(earlier.rows.keys)
    for area in recounted ?? Set(catalogs.flatMap { areas(of: $0) + earlier.areas(of: $0) }) {
      let (now, before) = (self[area], earlier[area])
      if now == before { continue }
      guard now.old == before.old else { return nil }
      let (rows, rowsBefore) = CatalogCount.differing(now.list, before.list)
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

  private subscript(area: CatalogArea) -> Rows {
    rows[area.catalog]?[area.page] ?? Rows(old: 0, listed: 0, list: "")
  }

  /// The rows of two lists behind the start that they share: most of a page stays as it is.
  private static func differing(_ now: String, _ before: String) -> (Set<Substring>, Set<Substring>) {
    let pairs = zip(now.utf8, before.utf8).enumerated()
    let shared =
      pairs.first { $0.element.0 != $0.element.1 }?.offset ?? min(now.utf8.count, before.utf8.count)
    let start = shared - now.utf8.prefix(shared).reversed().prefix { $0 != UInt8(ascii: " ") }.count
    let rests = [now, before].map { Set(Substring($0.utf8.dropFirst(start)).split(separator: " ")) }
    return (rests[0], rests[1])
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
