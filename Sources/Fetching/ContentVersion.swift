/// What a server identifies its content by.
package struct ContentVersion: Equatable {
  /// The entity tag, quotes and all.
  var tag: String?
  /// The day and time of the last change, as the server wrote it.
  var modified: String?
  /// The bytes of the whole; nil where the server does not say.
  var bytes: Int?

  /// What to write into `If-Range`: only a strong tag, or else a date, distinguishes bytes.
  package var strongMark: String? {
    if let tag { return tag.hasPrefix("W/") ? nil : tag }
    return modified
  }

  /// Whether content of another version may be taken for this one. Size alone proves nothing.
  package func isSame(as other: ContentVersion) -> Bool {
    guard agrees(with: other) else { return false }
    return (tag != nil && other.tag != nil) || (modified != nil && other.modified != nil)
  }

  /// Whether nothing that both tell differs.
  func agrees(with other: ContentVersion) -> Bool {
    func differ<Value: Equatable>(_ one: Value?, _ other: Value?) -> Bool {
      one != nil && other != nil && one != other
    }
    if differ(bytes, other.bytes) || differ(tag, other.tag) { return false }
    return tag != nil && other.tag != nil || !differ(modified, other.modified)
  }
}
