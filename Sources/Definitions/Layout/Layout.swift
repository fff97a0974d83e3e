/// What is in a table's files, in one or more versions over the years.
public struct Layout: Sendable {
  /// The layout's name, which is also its file's.
  public var name: String
  /// The versions, in the order of the file.
  public var versions: [LayoutVersion]
  /// The layout's file, for errors.
  public var file: String

  /// The version of a name.
  public func version(named name: String) -> LayoutVersion? { versions.first { $0.name == name } }

  /// The layout without some child tables.
  public func without(_ isLeftOut: (ChildTable) -> Bool) -> Layout {
    var layout = self
    layout.versions = versions.map { $0.without(isLeftOut) }
    return layout
  }

  /// The layout as it is for rows that are merged: an export that has more in flat records than the layout
  /// knows would be merged without it, so that it is reported where a version does not say otherwise.
  func merging() -> Layout {
    var layout = self
    for index in versions.indices where versions[index].isFlat && versions[index].unknown == nil {
      layout.versions[index].unknown = .tell
    }
    return layout
  }

  /// The versions that a file of a release can be of: those for its time; all where the release is not known.
  public func versions(for release: String?) -> [LayoutVersion] {
    guard let release else { return versions }
    return versions.filter { $0.releases?.contains(release) ?? true }
  }
}

extension Layout {
  init?(_ node: YAMLNode, named name: String, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "a layout", keys: ["layout", "versions"], in: file) else {
      return nil
    }
    if let written = fields.needText("layout"), written.value != name {
      file.report("the layout is called '\(written.value)', its file '\(name).yaml'", at: written.mark)
    }
    let versions = fields.needList("versions").compactMap { LayoutVersion.read($0, in: file) }
    reportRepeats(versions.map(\.name), called: "the version", in: file)
    self.init(name: name, versions: versions.map(\.version), file: file.name)
  }
}
