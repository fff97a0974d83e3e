import Values

/// Names of files and of places on pages that say what they are of.
enum PageName {
  static let index = "index.html"

  static func dataset(_ name: String) -> String { file("dataset", name) }

  static func relation(_ relation: DescribedRelation) -> String { file(relation.kind, relation.name) }

  /// Where a column is, on the page of its table.
  static func column(_ name: String) -> String { "column-" + plain(name) }

  /// A place on a page by what it is of, such as `rule`.
  static func place(_ kind: String, _ name: String) -> String { kind + "-" + plain(name) }

  private static func file(_ kind: String, _ name: String) -> String {
    let plain = plain(name)
    guard plain.utf8.count > 120 else { return "\(kind)-\(plain).html" }
    return "\(kind)-\(plain.prefix(100))-\(SHA256.hex(of: name).prefix(12)).html"
  }

  /// The name in letters that every file system and every link can have, and that differ without their case:
  /// others are written by their numbers.
  private static func plain(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      let isPlain =
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || ["-", "_", "."].contains(scalar)
      return isPlain ? String(scalar) : "~" + String(scalar.value, radix: 16) + "~"
    }.joined()
  }
}
