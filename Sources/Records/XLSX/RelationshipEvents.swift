/// Which parts belong to a part, and as what.
final class RelationshipEvents: XMLEvents {
  struct Relationship {
    let id: String
    /// The last component of the type's URI, which is the same in both of the format's dialects.
    let kind: String
    /// The part's name in the package.
    let part: String
  }

  private(set) var relationships: [Relationship] = []
  private let folder: String

  /// - Parameter folder: where the part lies whose relationships these are.
  init(folder: String) {
    self.folder = folder
  }

  override func start(_ name: UnsafePointer<UInt8>, _ attributes: XMLAttributes) {
    guard XMLName.matches(name, "Relationship"), attributes.text("TargetMode") != "External",
      let id = attributes.text("Id"), let type = attributes.text("Type"),
      let target = attributes.text("Target")
    else { return }
    let kind = type.split(separator: "/").last.map(String.init) ?? type
    relationships.append(Relationship(id: id, kind: kind, part: resolve(target)))
  }

  private func resolve(_ target: String) -> String {
    var path = target.hasPrefix("/") ? [] : folder.split(separator: "/")
    for component in target.split(separator: "/") {
      switch component {
      case ".": break
      case "..": path = path.dropLast()
      default: path.append(component)
      }
    }
    return path.joined(separator: "/")
  }
}
