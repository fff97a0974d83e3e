import PostgreSQL

/// All of a catalog or, where it is counted page by page, one of its pages.
struct CatalogArea: Hashable {
  let catalog: String
  /// nil for all of them.
  var page: Int?
}

/// How many rows each of the server's catalogs has at one moment, and which were written since another.
///
/// A row that is changed or removed is no longer among those from before, so that their number shows whether any
/// was, without a look at what they say: the server keeps the transaction that wrote each version of a row.
struct CatalogCount {
  /// A version of a row: the area, the place and the transaction.
  private struct RowVersion: Hashable {
    let area: CatalogArea
    let place: Substring
    let transaction: UInt32
  }

  /// The first transaction that need not be over at this moment: all from it on are counted by their rows.
  private(set) var horizon: UInt32
  /// The catalogs by the numbers of the files that they are in.
  let files: [String: String]
  /// The rows of transactions before that, by area; none where there are none.
  private var old: [CatalogArea: Int] = [:]
  /// The others, and what they belong to; nil where a row may change what is said of any object.
  private var written: [RowVersion: CatalogAddress?] = [:]

  /// A count of rows that ``CatalogCounter`` has read.
  init(horizon: UInt32, files: [String: String], _ rows: [Row]) throws {
    self.horizon = horizon
    self.files = files
    for row in rows {
      let area = CatalogArea(catalog: try row.value(0), page: try row.optional(1))
      let rows = row[3]?.split(separator: " ") ?? []
      let count = try row.value(2, Int.self) - rows.count
      if count > 0 { old[area] = count }
      for row in rows {
        let parts = row.split(separator: ":")
        guard parts.count >= 3, let transaction = UInt32(parts[1]) else { continue }
        let version = RowVersion(area: area, place: parts[0], transaction: transaction)
        let isFar = parts.count == 3
        written.updateValue(
          isFar ? nil : CatalogAddress(catalog: String(parts[2]), number: String(parts[3])), forKey: version)
      }
    }
  }

  /// How many rows there are.
  var rows: Int { old.values.reduce(written.count, +) }

  /// The same with some areas as another count has them, which is of them alone and later.
  func replacing(_ areas: Set<CatalogArea>, by later: CatalogCount) -> CatalogCount {
    var count = self
    count.horizon = later.horizon
    let whole = Set(areas.filter { $0.page == nil }.map(\.catalog))
    for area in areas where area.page != nil { count.old[area] = nil }
    if !whole.isEmpty { count.old = count.old.filter { !whole.contains($0.key.catalog) } }
    count.written = written.filter { !areas.contains($0.key.area) && !whole.contains($0.key.area.catalog) }
    count.old.merge(later.old) { $1 }
    count.written.merge(later.written) { $1 }
    return count
  }

  /// The same with what is written since its own horizon alone, for later ones to be counted from there.
  func settled() -> CatalogCount {
    var count = self
    for version in written.keys where Int32(bitPattern: version.transaction &- horizon) < 0 {
      count.written.removeValue(forKey: version)
      count.old[version.area, default: 0] += 1
    }
    return count
  }

  /// What was added since an earlier count, from whose horizon on this one has counted; nil where that is not
  /// all that has changed, or may be.
  func additions(to earlier: CatalogCount) -> Set<CatalogAddress>? {
    guard old == earlier.old, earlier.written.keys.allSatisfy({ written[$0] != nil }) else { return nil }
    var added: Set<CatalogAddress> = []
    for (version, address) in written where earlier.written[version] == nil {
      guard let address else { return nil }
      added.insert(address)
    }
    return added
  }
}
