/// What a workbook says of itself: its worksheets, its date system, its date formats.
struct XLSXWorkbook {
  struct Sheet {
    let name: String
    let isHidden: Bool
    /// The part's name in the package.
    let part: String
  }

  /// The worksheets in their order, without charts, macros and dialogs.
  private(set) var sheets: [Sheet] = []
  /// Days are counted from 1904, not from 1900.
  private(set) var is1904 = false
  /// What the number of a cell is, by the cell's style.
  private(set) var styles: [SheetDate.Format] = []
  /// The part that holds the shared strings.
  private(set) var sharedStrings: String?

  init(_ package: XLSXPackage) throws(RecordsError) {
    let top = try Self.relationships(package, "_rels/.rels", folder: "")
    let main = top.first { $0.kind == "officeDocument" }?.part ?? "xl/workbook.xml"
    if main.lowercased().hasSuffix(".bin") {
      throw .notAWorkbook(
        path: package.entry.path, entry: package.entry.entry, found: "a binary workbook (.xlsb)")
    }
    let names = SheetListEvents()
    guard try Self.read(package, main, names) else { throw package.broken("it has no part \(main)") }
    is1904 = names.is1904
    let folder = main.lastIndex(of: "/").map { String(main[..<$0]) } ?? ""
    let file = main.split(separator: "/").last.map(String.init) ?? main
    let related = try Self.relationships(
      package, (folder.isEmpty ? "" : folder + "/") + "_rels/\(file).rels", folder: folder)
    for sheet in names.sheets {
      guard let part = related.first(where: { $0.id == sheet.id && $0.kind == "worksheet" })?.part else {
        continue
      }
      sheets.append(Sheet(name: sheet.name, isHidden: sheet.isHidden, part: part))
    }
    sharedStrings = related.first { $0.kind == "sharedStrings" }?.part
    if let part = related.first(where: { $0.kind == "styles" })?.part {
      let events = StyleEvents()
      _ = try Self.read(package, part, events)
      styles = events.formats
    }
  }

  /// The sheet that is meant; nil if there is none.
  func sheet(_ choice: SheetChoice) -> Sheet? {
    switch choice {
    case .first: sheets.first { !$0.isHidden } ?? sheets.first
    case .numbered(let number): number >= 1 && number <= sheets.count ? sheets[number - 1] : nil
    case .named(let name):
      sheets.first { $0.name == name } ?? sheets.first { $0.name.lowercased() == name.lowercased() }
    }
  }

  /// Reads a part that has to be small; false if it is not there.
  private static func read(
    _ package: XLSXPackage, _ part: String, _ events: XMLEvents
  ) throws(RecordsError) -> Bool {
    guard let stream = try package.open(part) else { return false }
    let place = package.place(part)
    let limited = LimitedStream(stream, limit: 32 << 20, place: place)
    try XMLPushParser(limited, events: events, place: place).run()
    return true
  }

  private static func relationships(
    _ package: XLSXPackage, _ part: String, folder: String
  ) throws(RecordsError) -> [RelationshipEvents.Relationship] {
    let events = RelationshipEvents(folder: folder)
    _ = try read(package, part, events)
    return events.relationships
  }
}
