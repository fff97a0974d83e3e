/// What the cells' styles make of a number.
final class StyleEvents: XMLEvents {
  /// By the place of the style among the cells' styles.
  private(set) var formats: [SheetDate.Format] = []
  private var custom: [Int: SheetDate.Format] = [:]
  private var isInCells = false

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    if XMLName.matches(name, "numFmt") {
      guard let id = attributes.number("numFmtId"), let code = attributes.text("formatCode") else { return }
      custom[id] = SheetDate.Format(code: code)
    } else if XMLName.matches(name, "cellXfs") {
      isInCells = true
    } else if isInCells, XMLName.matches(name, "xf") {
      let id = attributes.number("numFmtId") ?? 0
      formats.append(custom[id] ?? SheetDate.Format(builtIn: id))
    }
  }

  override func end(_ name: UnsafePointer<UInt8>) {
    if XMLName.matches(name, "cellXfs") { isInCells = false }
  }
}
