/// What `migrate status --drift` is not to look at: `drift` in `rivulet.yaml`.
enum DriftRules {
  /// The patterns of `ignore`, such as `table app.tmp_*` or `schema scratch`.
  static func ignored(_ node: YAMLNode, in file: DefinitionFile) -> [String] {
    guard let fields = Fields(node, of: "drift", keys: ["ignore"], in: file) else { return [] }
    let patterns = fields.texts("ignore") ?? []
    for pattern in patterns where pattern.value.split(separator: " ").count < 2 {
      file.report(
        "'\(pattern.value)' is not a kind of object and a name", at: pattern.mark,
        hint: "write the two as 'migrate status --drift' does: table app.tmp_*, or schema scratch")
    }
    return patterns.map(\.value)
  }
}
