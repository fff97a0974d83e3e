/// The head of a server's answer.
package struct ResponseHead {
  /// The status; 0 before anything came.
  private(set) var status = 0
  private var fields: [String: String] = [:]

  /// Before anything came.
  package init() {}

  /// Takes a line of the head: a status line begins a new head, as of a page that is sent on to.
  package mutating func add(_ line: String) {
    let line = line.trimmed
    if line.hasPrefix("HTTP/") {
      fields = [:]
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if let colon = line.firstIndex(of: ":") {
      fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...]).trimmed
    }
  }

  /// What the content is identified by, to ask later whether it is still the same.
  package var version: ContentVersion {
    ContentVersion(tag: self["etag"], modified: self["last-modified"], bytes: size)
  }

  /// The bytes of the whole content, whichever part of it comes; nil where the server does not say.
  var size: Int? {
    if let range = self["content-range"] {
      return range.split(separator: "/").last.flatMap { Int($0) }
    }
    return self["content-length"].flatMap { Int($0) }
  }

  /// The place in the whole content of the first byte that comes; nil where no part was asked for.
  package var firstByte: Int? {
    guard let range = self["content-range"], range.lowercased().hasPrefix("bytes") else { return nil }
    return Int(range.dropFirst(5).trimmingPrefix { $0 == " " || $0 == "=" }.prefix { $0 != "-" })
  }

  /// A field by its name in lower case.
  subscript(name: String) -> String? {
    guard let value = fields[name], !value.isEmpty else { return nil }
    return value
  }
}
