package import Definitions
package import Records
import Values

/// Entries of tree-shaped records: no header names their columns.
extension SourceHead {
  /// Records of a version whose columns are found by paths.
  ///
  /// `way`: the names that lead to the records of a document.
  /// `foreignKinds`: the kinds of its records, where none of them is wanted.
  package init(
    tree version: LayoutVersion, _ format: Source.Format, way: [String], foreignKinds: [String] = []
  ) {
    var next = 0
    let own = version.columns.map { column -> Int? in
      guard column.place?.paths.isEmpty == false else { return nil }
      defer { next += 1 }
      return next
    }
    // Those of a child count from the beginning of a row.
    let rows = version.children.flatMap { child in
      var next = 0
      return (child.slots.first ?? []).map { column -> Int? in
        guard column.isOfTree else { return nil }
        defer { next += 1 }
        return next
      }
    }
    layout = version
    self.format = .tree(Self.format(of: version, format, way: way))
    fields = own + rows
    width = next
    skips = version.skips
    (recordsAbove, banner, blanks, unknown) = (0, "", [], [])
    (headerDepth, hasReasons) = (0, false)
    self.foreignKinds = foreignKinds
  }

  /// How records of a version are read.
  private static func format(
    of version: LayoutVersion, _ format: Source.Format, way: [String]
  ) -> TreeFormat {
    let syntax: TreeFormat.Syntax =
      switch format {
      case .xml: .xml
      case .json: .json
      default: .jsonLines
      }
    let plan = TreePlan(
      fields: version.columns.compactMap { $0.place?.paths.isEmpty == false ? $0.treeField : nil },
      groups: version.children.map { child in
        TreePlan.Group(
          child.each,
          fields: (child.slots.first ?? []).compactMap { $0.isOfTree ? $0.treeField : nil })
      }, kind: version.kind, ignoresCase: syntax != .xml && version.isFlat,
      keepsUnread: version.unknown?.isReported ?? false,
      tellers: (version.unknown?.apart ?? [:]).sorted { $0.key < $1.key }.map {
        TreePlan.Teller($0.key, by: $0.value)
      })
    return TreeFormat(syntax, plan: plan, records: way)
  }
}

extension LayoutVersion {
  /// The property that tells the records wanted from others: that of the first rule which leaves out all but
  /// some.
  package var kind: TreePlan.Kind? {
    for rule in skips {
      guard case .otherValue(let name, let values) = rule.condition,
        let path = columns.first(where: { $0.name == name })?.place?.paths.first, path.steps.count == 1
      else { continue }
      return TreePlan.Kind(path.steps[0].name, wanted: values)
    }
    return nil
  }
}

extension LayoutColumn {
  /// Whether it has a field in a row of a tree.
  fileprivate var isOfTree: Bool { origin == .pathName || place?.paths.isEmpty == false }

  fileprivate var treeField: TreePlan.Field {
    guard let place else { return .pathName }
    return TreePlan.Field(place.paths, joining: place.joining, takesAll: type.isJSON)
  }
}
