public import Values

/// The entry of a bundle that names its other ones: a JSON document with lists of addresses or names.
///
/// Its files carry what the index says they carry, whatever they are called, and what it names and the bundle
/// lacks is reported.
public struct BundleIndex: Sendable {
  /// Which entry it is.
  public var entries: Glob
  /// By the source that the named files carry, the places in the document where they are named.
  public var named: [String: [TreePath]]
}

extension BundleIndex {
  init?(_ node: YAMLNode, sources: [String], in file: DefinitionFile) {
    guard let fields = Fields(node, of: "an index", keys: ["entries", "names"], in: file) else { return nil }
    fields.need("names")
    let glob = fields.needText("entries").flatMap { Glob($0, in: file) }
    var named: [String: [TreePath]] = [:]
    for entry in fields.mapping("names") ?? [] {
      guard let text = fields.text(entry.value, called: "'\(entry.key)'") else { continue }
      if !sources.contains(entry.key) {
        let source = Marked(entry.key, at: text.mark)
        file.report("unknown source '\(entry.key)'", of: source, among: sources, called: "known")
      }
      if let path = TreePath(text, in: file) { named[entry.key] = [path] }
    }
    guard let glob else { return nil }
    self.init(entries: glob, named: named)
  }
}
