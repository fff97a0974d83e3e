import Glibc

/// Paths as text.
public enum Path {
  /// Two parts with one slash between; an absolute second part is alone.
  public static func join(_ folder: String, _ name: String) -> String {
    if name.hasPrefix("/") || folder.isEmpty { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The folder that holds the path: `a/b` is in `a`, `b` in `.`, `/` in `/`.
  public static func parent(_ path: String) -> String {
    let trimmed = withoutEndingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  /// The last component: `b` of `a/b`.
  public static func name(_ path: String) -> String {
    let trimmed = withoutEndingSlashes(path)
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(trimmed) }
    return String(trimmed[trimmed.utf8.index(after: slash)...])
  }

  /// To the system a name is bytes: a slash is one whatever mark of another letter follows it.
  private static func withoutEndingSlashes(_ path: String) -> Substring {
    var trimmed = Substring(path)
    while trimmed.utf8.count > 1 && trimmed.utf8.last == UInt8(ascii: "/") {
      trimmed = trimmed[..<trimmed.utf8.index(before: trimmed.endIndex)]
    }
    return trimmed
  }

  /// The path from the root, links resolved; nil when nothing is there.
  public static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// The path from the root, links resolved as far as something is there.
  public static func canonical(_ path: String) -> String {
    if let there = resolved(path) { return there }
    let folder = parent(path)
    return folder == path ? path : join(canonical(folder), name(path))
  }

  /// The folder the process works in.
  public static var current: String { resolved(".") ?? "/" }
}
