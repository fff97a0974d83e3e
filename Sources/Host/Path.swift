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
    var trimmed = Substring(path)
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
  }

  /// The last component: `b` of `a/b`.
  public static func name(_ path: String) -> String {
    var trimmed = Substring(path)
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
    guard let slash = trimmed.lastIndex(of: "/") else { return String(trimmed) }
    return String(trimmed[trimmed.index(after: slash)...])
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
