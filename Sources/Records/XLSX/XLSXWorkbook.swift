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
    guard try package.read(main, names) else { throw package.broken("it has no part \(main)") }
    is1904 = names.is1904
    let folder = main.lastIndex(of: "/").map { String(main[..<$0]) } ?? ""
    let file = main.split(separator: "/").last.map(String.init) ?? main
    let related = try Self.relationships(
      package, (folder.isEmpty ? "" : folder + "/") + "_rels/\(file).rels", folder: folder)
    let parts = Dictionary(related.filter { $0.kind == "worksheet" }.map { ($0.id, $0.part) }) { first, _ in
      first
    }
    for sheet in names.sheets {
      guard let part = parts[sheet.id] else { continue }
      sheets.append(Sheet(name: sheet.name, isHidden: sheet.isHidden, part: part))
    }
    sharedStrings = related.first { $0.kind == "sharedStrings" }?.part
    if let part = related.first(where: { $0.kind == "styles" })?.part {
      let events = StyleEvents()
      _ = try package.read(part, events)
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

  private static func relationships(
    _ package: XLSXPackage, _ part: String, folder: String
  ) throws(RecordsError) -> [RelationshipEvents.Relationship] {
    let events = RelationshipEvents(folder: folder)
    _ = try package.read(part, events)
    return events.relationships
  }
}

extension XMLEvents {
  /// Refuses a workbook that has more of something than any spreadsheet program writes.
  fileprivate func limit(_ count: Int, _ what: String) {
    guard count >= 1 << 16 else { return }
    refusal = "it has more than \(1 << 16) \(what)"
    parser?.stop()
  }
}

/// The sheets and the date system in a workbook's main part.
private final class SheetListEvents: XMLEvents {
  private(set) var sheets: [(name: String, id: String, isHidden: Bool)] = []
  private(set) var is1904 = false

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    if XMLName.matches(name, "sheet") {
      limit(sheets.count, "sheets")
      guard let text = attributes.text("name"), let id = attributes.text("id") else { return }
      let state = attributes.text("state") ?? "visible"
      sheets.append((text, id, state != "visible"))
    } else if XMLName.matches(name, "workbookPr") {
      let value = attributes.text("date1904")
      is1904 = value == "1" || value == "true" || value == "on"
    }
  }
}

/// Which parts belong to a part, and as what.
private final class RelationshipEvents: XMLEvents {
  struct Relationship {
    let id: String
    /// The last component of the type's URI, which is the same in both of the format's dialects.
    let kind: String
    /// The part's name in the package.
    let part: String
  }

  private(set) var relationships: [Relationship] = []
  private let folder: String

  /// - Parameter folder: where the part lies whose relationships these are.
  init(folder: String) {
    self.folder = folder
  }

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard XMLName.matches(name, "Relationship"), attributes.text("TargetMode") != "External",
      let id = attributes.text("Id"), let type = attributes.text("Type"),
      let target = attributes.text("Target")
    else { return }
    limit(relationships.count, "parts")
    let kind = type.split(separator: "/").last.map(String.init) ?? type
    relationships.append(Relationship(id: id, kind: kind, part: resolve(target)))
  }

  private func resolve(_ target: String) -> String {
    var path = target.hasPrefix("/") ? [] : folder.split(separator: "/")
    for component in target.split(separator: "/") {
      switch component {
      case ".": break
      case "..": path = path.dropLast()
      default: path.append(component)
      }
    }
    return path.joined(separator: "/")
  }
}

/// What the cells' styles make of a number.
private final class StyleEvents: XMLEvents {
  /// By the place of the style among the cells' styles.
  private(set) var formats: [SheetDate.Format] = []
  private var custom: [Int: SheetDate.Format] = [:]
  private var isInCells = false

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    if XMLName.matches(name, "numFmt") {
      limit(custom.count, "formats")
      guard let id = attributes.number("numFmtId"), let code = attributes.text("formatCode") else { return }
      custom[id] = SheetDate.Format(code: code)
    } else if XMLName.matches(name, "cellXfs") {
      isInCells = true
    } else if isInCells, XMLName.matches(name, "xf") {
      limit(formats.count, "styles")
      let id = attributes.number("numFmtId") ?? 0
      formats.append(custom[id] ?? SheetDate.Format(builtIn: id))
    }
  }

  override func end(_ name: UnsafePointer<UInt8>) {
    if XMLName.matches(name, "cellXfs") { isInCells = false }
  }
}
