/// The sheets and the date system in a workbook's main part.
final class SheetListEvents: XMLEvents {
  private(set) var sheets: [(name: String, id: String, isHidden: Bool)] = []
  private(set) var is1904 = false

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    if XMLName.matches(name, "sheet") {
      guard let text = attributes.text("name"), let id = attributes.text("id") else { return }
      let state = attributes.text("state") ?? "visible"
      sheets.append((text, id, state != "visible"))
    } else if XMLName.matches(name, "workbookPr") {
      let value = attributes.text("date1904")
      is1904 = value == "1" || value == "true" || value == "on"
    }
  }
}
