package import Definitions
package import Records

/// The files of a bundle that no source takes, and that are no documents as publishers put them beside their
/// data.
package struct UntakenEntries {
  /// Those of no source by their names.
  package let entries: [SourceEntry]
  /// What is reported of them, for the user.
  package let warnings: [String]

  /// So many files are named.
  private static let shown = 8

  /// `path`: the bundle.
  /// `found`: its entries but those that say themselves what they are.
  /// `taken`: those that are loaded.
  /// `others`: those that carry the same tables in other formats.
  package init(
    of path: String, found: [SourceEntry], taken: [BundleEntry], others: [BundleEntry], pipeline: Pipeline
  ) {
    let read = Set(taken.map(\.entry))
    let nobodys = found.filter { entry in
      !read.contains(entry) && !Self.isDocument(entry, in: path, of: pipeline)
        && !pipeline.sources.contains { Self.couldTake($0, entry) }
    }
    entries = nobodys
    var warnings: [String] = []
    if !nobodys.isEmpty {
      let names = nobodys.map { entry in "'\(entry.name)'" + Self.remark(entry.name, pipeline) }
      warnings.append("files that no source takes were left alone: " + Self.list(names))
    }
    // Of one name they are the same table once more.
    let chosen = Set(taken.map { Self.stem($0.entry.name) })
    let unread = others.filter { other in
      (other.source.isGathered || pipeline.publishing == .merge) && !read.contains(other.entry)
        && !chosen.contains(Self.stem(other.entry.name))
    }
    for format in Source.Format.allCases {
      var names: [String] = []
      for entry in unread where entry.format == format && !names.contains("'\(entry.entry.name)'") {
        names.append("'\(entry.entry.name)'")
      }
      guard !names.isEmpty else { continue }
      let read = Set(taken.filter { entry in unread.contains { $0.source == entry.source } }.map(\.format))
      warnings.append(
        "files of another format than the one that is read, "
          + read.map(\.rawValue).sorted().joined(separator: " or ") + ", were left alone: " + Self.list(names)
          + "; load them by themselves")
    }
    self.warnings = warnings
  }

  /// Whether an entry is one of a source's, which may have left it for a later one.
  private static func couldTake(_ source: Source, _ entry: SourceEntry) -> Bool {
    guard source.entries.matches(entry.name), let format = Source.Format(fileName: entry.name) else {
      return false
    }
    return source.formats.contains(format)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(shown).joined(separator: ", ")
      + (names.count > shown ? " and \(names.count - shown) more" : "")
  }

  /// What a file is called that somebody probably meant, or why it is not read although its name is right.
  private static func remark(_ name: String, _ pipeline: Pipeline) -> String {
    if let source = pipeline.sources.first(where: { $0.entries.matches(name) && $0.entries.text != "*" }) {
      return " (\(source.name) are read from \(source.formats.map(\.rawValue).joined(separator: ", ")))"
    }
    let known = Source.Format(fileName: name)
    let ending = name.contains(".") ? "." + (name.split(separator: ".").last ?? "") : ""
    let likely = pipeline.sources.compactMap { source -> (plain: String, meant: String)? in
      guard let format = known, source.formats.contains(format) else { return nil }
      let meant = source.name + ending
      return (source.name, source.entries.matches(meant) ? meant : source.entries.text)
    }
    let stem = stem(name)
    guard let near = NearestName.to(stem, among: likely.map(\.plain)),
      let meant = likely.first(where: { $0.plain == near })?.meant
    else { return "" }
    return " (did you mean '\(meant)'?)"
  }

  /// A name without what is behind its last dot, in small letters.
  private static func stem(_ name: String) -> String {
    let name = name.lowercased()
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// Whether an entry of a bundle is there to be looked at by people, or is hidden.
  package static func isDocument(_ entry: SourceEntry, in path: String, of pipeline: Pipeline) -> Bool {
    if pipeline.documents.contains(where: { $0.matches(entry.name) }) { return true }
    let name = entry.name.lowercased()
    let inside = (entry.path.hasPrefix(path) ? String(entry.path.dropFirst(path.count)) : entry.name)
    let folders = (inside + "/" + (entry.entry ?? "")).split(separator: "/")
    if folders.contains(where: { $0.hasPrefix(".") }) { return true }
    if ["readme", "read_me", "license", "licence", "copyright"].contains(where: name.contains) {
      return true
    }
    return name.lastIndex(of: ".").map { documents.contains(String(name[name.index(after: $0)...])) } ?? false
  }

  /// The extensions of documents, pictures and checksums.
  private static let documents: Set<String> = [
    "pdf", "doc", "docx", "docm", "odt", "rtf", "ppt", "pptx", "htm", "html", "md", "rst", "css", "log",
    "png", "jpg", "jpeg", "gif", "svg", "webp", "tif", "tiff", "bmp", "ico",
    "md5", "sha1", "sha256", "sha512", "sig", "asc",
  ]
}
