package import Definitions
package import Records
import Values

/// Entries of tree-shaped records: no header names their columns.
extension SourceHead {
  /// Records of a version whose columns are found by paths.
  ///
  /// `way`: the names that lead to the records of a document.
  /// `day`: the day that paths ask about.
  /// `foreignKinds`: the kinds of its records, where none of them is wanted.
  package init(
    tree version: LayoutVersion, _ format: Source.Format, way: [String], day: String,
    foreignKinds: [String] = []
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
    self.format = .tree(Self.format(of: version, format, way: way, day: day))
    fields = own + rows
    width = next
    skips = version.skips
    (recordsAbove, banner, blanks, unknown) = (0, "", [], [])
    (headerDepth, hasReasons) = (0, false)
    self.foreignKinds = foreignKinds
  }

  /// How records of a version are read.
  private static func format(
    of version: LayoutVersion, _ format: Source.Format, way: [String], day: String
  ) -> TreeFormat {
    let syntax: TreeFormat.Syntax =
      switch format {
      case .xml: .xml
      case .json: .json
      default: .jsonLines
      }
    // What is around a record is read with it: the record is a property then, or alone as in lines.
    let around = version.looksAround ? version.recordWay.last : nil
    func both(_ paths: [TreePath]) -> [TreePath] {
      guard let around else { return paths }
      return paths.flatMap { $0.isAround ? [$0] : [$0, $0.within(around)] }
    }
    func field(_ column: LayoutColumn, _ paths: ([TreePath]) -> [TreePath]) -> TreePlan.Field {
      guard let place = column.place else { return .pathName }
      return TreePlan.Field(
        paths(place.paths), joining: place.joining, takesAll: column.type.isJSON, after: place.after)
    }
    let plan = TreePlan(
      fields: version.columns.compactMap { $0.place?.paths.isEmpty == false ? field($0, both) : nil },
      groups: version.children.map { child in
        TreePlan.Group(
          both(child.each),
          names: child.each.flatMap { Array(repeating: $0.called, count: around == nil ? 1 : 2) },
          fields: (child.slots.first ?? []).compactMap { $0.isOfTree ? field($0) { $0 } : nil })
      }, kind: version.kind.map { TreePlan.Kind($0.name, wanted: $0.wanted, within: around) },
      ignoresCase: syntax != .xml && version.isFlat,
      keepsUnread: version.unknown?.isReported ?? false,
      tellers: (version.unknown?.apart ?? [:]).sorted { $0.key < $1.key }.map {
        TreePlan.Teller($0.key, by: $0.value)
      }, day: day)
    let way = around != nil && way == version.recordWay ? Array(way.dropLast()) : way
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
}
