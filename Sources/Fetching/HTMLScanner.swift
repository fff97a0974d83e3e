/// Finds the links of an HTML page: as little of HTML as that takes, and no page is too broken for it.
struct HTMLScanner {
  /// A link as the page writes it, entities decoded.
  struct Anchor: Equatable {
    var target: String
    var text: String
  }

  /// The links in the page's order.
  private(set) var anchors: [Anchor] = []
  /// What the page says its links are relative to.
  private(set) var base: String?

  private let page: [UInt8]
  private var next = 0
  private var open: Anchor?

  /// Reads a page.
  init(_ page: [UInt8]) {
    self.page = page
    scan()
  }

  private mutating func scan() {
    while next < page.count {
      let start = next
      while next < page.count, page[next] != UInt8(ascii: "<") { next += 1 }
      if start < next { open?.text += String(decoding: page[start..<next], as: UTF8.self) }
      guard next < page.count else { break }
      if starts("<!--") {
        skip(past: "-->")
      } else {
        tag()
      }
    }
    close()
  }

  private mutating func tag() {
    next += 1
    let isEnd = next < page.count && page[next] == UInt8(ascii: "/")
    if isEnd { next += 1 }
    let name = word()
    if name.isEmpty {
      open?.text += "<"
      return
    }
    let attributes = attributes()
    switch (name, isEnd) {
    case ("a", true): close()
    case ("a", false):
      close()
      if let target = attributes["href"] { open = Anchor(target: target, text: "") }
    case ("base", false): base = base ?? attributes["href"]
    case ("script", false), ("style", false): skip(past: "</\(name)")
    default: open?.text += " "
    }
  }

  private mutating func close() {
    guard var anchor = open else { return }
    open = nil
    anchor.text = anchor.text.entitiesDecoded.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    anchors.append(anchor)
  }

  private mutating func attributes() -> [String: String] {
    var found: [String: String] = [:]
    while true {
      blanks()
      guard next < page.count, page[next] != UInt8(ascii: ">") else { break }
      let name = word()
      if name.isEmpty {
        next += 1
        continue
      }
      blanks()
      var value = ""
      if next < page.count, page[next] == UInt8(ascii: "=") {
        next += 1
        blanks()
        value = self.value()
      }
      if found[name] == nil { found[name] = value.entitiesDecoded }
    }
    next += 1
    return found
  }

  private mutating func value() -> String {
    guard next < page.count else { return "" }
    let quote = page[next]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      next += 1
      defer { next += 1 }
      return text { $0 == quote }
    }
    return text { HTMLScanner.isBlank($0) || $0 == UInt8(ascii: ">") }
  }

  private mutating func word() -> String {
    text { HTMLScanner.isBlank($0) || Array("<>/=\"'".utf8).contains($0) }.lowercased()
  }

  private mutating func text(until isEnd: (UInt8) -> Bool) -> String {
    let start = next
    while next < page.count, !isEnd(page[next]) { next += 1 }
    return String(decoding: page[start..<next], as: UTF8.self)
  }

  private mutating func blanks() {
    while next < page.count, HTMLScanner.isBlank(page[next]) { next += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private func starts(_ text: String) -> Bool {
    text.utf8.count <= page.count - next
      && zip(text.utf8, page[next...]).allSatisfy { $0 == $1 || ($1 < 0x80 && $0 == $1 | 0x20) }
  }

  private mutating func skip(past text: String) {
    while next < page.count, !starts(text) { next += 1 }
    next = min(page.count, next + text.utf8.count)
  }
}
