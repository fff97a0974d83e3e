public import Values

/// What is wanted of tree-shaped records: fields of each record, and fields of what repeats in it.
///
/// The names of all paths make one automaton, a tree of its own, so that a reader knows at each name of a
/// record whether anything below it is wanted; what is not is passed over.
public struct TreePlan: Sendable {
  /// One field: the text at a place.
  public struct Field: Sendable {
    /// Where it is looked for; the first path that leads to a text counts.
    public let paths: [TreePath]
    /// What is between texts where a path leads to several; if nil the first of them is taken.
    public let joining: String?
    /// Whether all that is at the place is taken, as JSON, and not a text in it.
    public let takesAll: Bool
    /// Whether the field is the name of the path that its row was found by, and not a text of the record.
    public let isPathName: Bool
    /// Marks, behind the last of which a text from around the record begins that is taken; nil where all of it
    /// is.
    public let after: String?

    /// The text at the first of some paths that leads to one.
    public init(
      _ paths: [TreePath], joining: String? = nil, takesAll: Bool = false, after: String? = nil
    ) {
      (self.paths, self.joining, self.takesAll, isPathName) = (paths, joining, takesAll, false)
      self.after = after
    }

    /// The name of the path that a row was found by.
    public static var pathName: Field { Field() }

    private init() { (paths, joining, takesAll, isPathName, after) = ([], nil, false, true, nil) }
  }

  /// Something that repeats in a record any number of times: each time is a row of fields.
  public struct Group: Sendable {
    /// What repeats; rows are in the order of the paths, and of one path in the order of the record. The path
    /// to the record itself makes one row.
    public let paths: [TreePath]
    /// The fields of a row, from the thing that repeats on.
    public let fields: [Field]
    /// What each of the paths is called.
    public let names: [String]

    /// Rows of fields for each thing at some paths, which have their own names where they are given no other.
    public init(_ paths: [TreePath], names: [String]? = nil, fields: [Field]) {
      (self.paths, self.fields) = (paths, fields)
      self.names = names ?? paths.map(\.called)
    }
  }

  /// What records are distinguished by: a property, and which of its values are wanted.
  public struct Kind: Sendable {
    /// The property's name; in XML it is said by the name of the element.
    public let name: String
    /// The values; if empty, any.
    public let wanted: [String]
    /// The property that the record may be, where it is read with what is around it.
    public let within: String?

    /// A property that says what a record is.
    public init(_ name: String, wanted: [String] = [], within: String? = nil) {
      (self.name, self.wanted, self.within) = (name, wanted, within)
    }
  }

  /// What things of a name are distinguished by, where what nothing reads of them is counted: a property.
  public struct Teller: Sendable {
    let name: [UInt8]
    let property: [UInt8]

    /// Things of a name, each with a text at a property.
    public init(_ name: String, by property: String) {
      (self.name, self.property) = (Array(name.utf8), Array(property.utf8))
    }
  }

  /// The number of fields of a record.
  public let width: Int
  /// The number of fields of a row of each group.
  public let groupWidths: [Int]

  /// The property that says what a record is, and the place in the automaton; -1 where it is not looked at.
  let kindName: [UInt8]
  let kindNode: Int
  let kinds: [[UInt8]]
  let fields: [PlannedField]
  let groups: [PlannedGroup]
  private(set) var nodes: [TreeNode] = [TreeNode()]
  /// Whether `Name` and `NAME` are the name that a path has as `name`.
  let ignoresCase: Bool
  /// The day that days of records are compared with, `YYYY-MM-DD`.
  let day: [UInt8]
  /// Whether values that no field has are counted.
  let keepsUnread: Bool
  let tellers: [Teller]
  /// Whether a path has a name that begins with a capital, so that such a name of an element says no kind.
  let hasCapitalNames: Bool

  /// A plan for records.
  /// - Parameters:
  ///   - fields: the fields of a record.
  ///   - groups: what repeats in a record.
  ///   - kind: where given, records of other kinds are distinguished by it, and nothing more is read of them.
  ///   - ignoresCase: whether the case of the letters A to Z in names of JSON does not count.
  ///   - keepsUnread: whether values that no field has are counted; see ``UnreadElements``.
  ///   - tellers: what things are distinguished by in that.
  ///   - day: `YYYY-MM-DD`, the day that paths ask about with `[period.end>=day]`.
  public init(
    fields: [Field], groups: [Group] = [], kind: Kind? = nil, ignoresCase: Bool = false,
    keepsUnread: Bool = false, tellers: [Teller] = [], day: String = ""
  ) {
    (self.ignoresCase, self.keepsUnread, self.tellers) = (ignoresCase, keepsUnread, tellers)
    self.day = Array(day.utf8)
    var nodes = [TreeNode()]
    width = fields.count
    groupWidths = groups.map(\.fields.count)
    self.fields = fields.map { PlannedField($0, from: 0, &nodes) }
    self.groups = groups.map { PlannedGroup($0, &nodes) }
    kindName = kind.map { Array($0.name.utf8) } ?? []
    kindNode = kind.map { TreeNode.child(named: Array($0.name.utf8), of: 0, &nodes) } ?? -1
    if kindNode >= 0 { nodes[kindNode].saysKind() }
    if let kind, let within = kind.within {
      let record = TreeNode.child(named: Array(within.utf8), of: 0, &nodes)
      nodes[TreeNode.child(named: kindName, of: record, &nodes)].saysKind()
      nodes[record].isRecord = true
    }
    kinds = kind?.wanted.map { Array($0.utf8) } ?? []
    for thing in self.groups.flatMap(\.alternatives).map(\.end) where thing > 0 {
      nodes[thing].isThing = !nodes[thing].takesText && !nodes[thing].takesAll
    }
    for node in nodes.indices {
      nodes[node].isDistinguished = tellers.contains { $0.name == nodes[node].name }
    }
    hasCapitalNames = nodes.contains { $0.name.first.map { (0x41...0x5A).contains($0) } ?? false }
    self.nodes = nodes
  }

  /// The node below a node by its name, in a text; -1 where nobody wants it.
  @inline(__always)
  func child(of node: Int, _ bytes: Span<UInt8>, _ name: Range<Int>) -> Int {
    for child in nodes[node].children where child.name.count == name.count {
      var place = 0
      while place < child.name.count, child.name[place] == bytes[name.lowerBound &+ place] { place &+= 1 }
      if place == child.name.count { return child.node }
    }
    return ignoresCase ? childIgnoringCase(of: node, bytes, name) : -1
  }

  /// The same where no name is there as it is written.
  private func childIgnoringCase(of node: Int, _ bytes: Span<UInt8>, _ name: Range<Int>) -> Int {
    for child in nodes[node].children where child.name.count == name.count {
      var place = 0
      while place < child.name.count,
        Self.capital(child.name[place]) == Self.capital(bytes[name.lowerBound &+ place])
      {
        place &+= 1
      }
      if place == child.name.count { return child.node }
    }
    return -1
  }

  static func capital(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte &- 0x20 : byte }

  /// The node of the property that says what the thing of a node is; -1 where nobody wants it.
  func kindChild(of node: Int) -> Int {
    nodes[node].children.first { $0.name == kindName }?.node ?? -1
  }

  /// A bit for each of the first 64 names below a node; none for the others.
  @inline(__always)
  func bit(of child: Int, below node: Int) -> UInt64 {
    1 << UInt64(nodes[node].children.firstIndex { $0.node == child } ?? 64)
  }

  /// Whether a kind is one of those wanted.
  func wants(_ bytes: Span<UInt8>) -> Bool {
    kinds.isEmpty
      || kinds.contains { kind in
        kind.count == bytes.count && kind.indices.allSatisfy { kind[$0] == bytes[$0] }
      }
  }
}

/// A state of the automaton: what is wanted below some name.
struct TreeNode: Sendable {
  struct Child: Sendable {
    let name: [UInt8]
    let node: Int
  }

  /// The name, and the node that it is below.
  var name: [UInt8] = []
  var parent = 0
  private(set) var children: [Child] = []
  /// Whether the text itself is wanted.
  var takesText = false
  /// Whether all that is there is wanted, as it is written.
  var takesAll = false
  /// Whether what is there is a thing with properties that repeats, and never a text.
  var isThing = false
  /// Whether its text is compared with something, so that it counts as read.
  var isAsked = false
  /// Whether it is the record in what is around it.
  var isRecord = false
  /// Whether its text is the kind of the record.
  var isKind = false
  /// Whether things of its name are distinguished by what they say.
  var isDistinguished = false

  /// Makes it the place of what says the kind of a record.
  mutating func saysKind() { (takesText, isAsked, isKind) = (true, true, true) }

  /// The node of a name below another one, made where there is none.
  static func child(named name: [UInt8], of node: Int, _ nodes: inout [TreeNode]) -> Int {
    if let known = nodes[node].children.first(where: { $0.name == name }) { return known.node }
    nodes.append(TreeNode())
    (nodes[nodes.count - 1].name, nodes[nodes.count - 1].parent) = (name, node)
    nodes[node].children.append(Child(name: name, node: nodes.count - 1))
    return nodes.count - 1
  }
}

/// A step of a path, by the nodes of the automaton.
struct PlannedStep: Sendable {
  enum Filter: Sendable {
    case item(Int)
    case items(from: Int)
    /// Whether one of some texts is at a place, or none of them where it is `isOther`.
    case value(nodes: [Int], oneOf: [[UInt8]], isOther: Bool, ignoresCase: Bool)
    /// Whether no day at a place is before that of the plan, or none is after it.
    case day(nodes: [Int], isLast: Bool)
  }

  let node: Int
  let filters: [Filter]

  /// The steps of a path from a node on; that where it ends.
  static func plan(_ path: TreePath, from start: Int, _ nodes: inout [TreeNode]) -> (steps: [Self], end: Int)
  {
    var node = start
    var steps: [PlannedStep] = []
    for step in path.steps {
      node = TreeNode.child(named: Array(step.name.utf8), of: node, &nodes)
      let filters = step.filters.map { filter -> Filter in
        switch filter {
        case .item(let number): .item(number)
        case .items(let first): .items(from: first)
        case .value(let names, let values, let ignoresCase):
          .value(
            nodes: texts(at: names, from: node, &nodes), oneOf: values.map { Array($0.utf8) }, isOther: false,
            ignoresCase: ignoresCase)
        case .otherValue(let names, let values, let ignoresCase):
          .value(
            nodes: texts(at: names, from: node, &nodes), oneOf: values.map { Array($0.utf8) }, isOther: true,
            ignoresCase: ignoresCase)
        case .notBefore(let names): .day(nodes: texts(at: names, from: node, &nodes), isLast: true)
        case .notAfter(let names): .day(nodes: texts(at: names, from: node, &nodes), isLast: false)
        }
      }
      steps.append(PlannedStep(node: node, filters: filters))
    }
    return (steps, node)
  }

  /// The way to texts that are asked for, which have to be read for that.
  private static func texts(at names: [String], from start: Int, _ nodes: inout [TreeNode]) -> [Int] {
    var place = start
    var places: [Int] = []
    for name in names {
      place = TreeNode.child(named: Array(name.utf8), of: place, &nodes)
      places.append(place)
    }
    (nodes[place].takesText, nodes[place].isAsked) = (true, true)
    return places
  }
}

/// A field by the nodes of the automaton.
struct PlannedField: Sendable {
  let paths: [[PlannedStep]]
  let joining: [UInt8]?
  let isPathName: Bool
  let after: [UInt8]
  /// For each path whether its text begins behind the last of those marks.
  let isCut: [Bool]

  init(_ field: TreePlan.Field, from start: Int, _ nodes: inout [TreeNode]) {
    paths = field.paths.map { path in
      let (steps, end) = PlannedStep.plan(path, from: start, &nodes)
      if field.takesAll { nodes[end].takesAll = true } else { nodes[end].takesText = true }
      // What is around a record is no part of it.
      if path.isAround { nodes[end].isAsked = true }
      return steps
    }
    joining = field.joining.map { Array($0.utf8) }
    isPathName = field.isPathName
    after = Array((field.after ?? "").utf8)
    isCut = field.paths.map { $0.isAround && field.after != nil }
  }
}

/// What repeats, by the nodes of the automaton. Each of its paths has fields of its own, as it ends at
/// another node.
struct PlannedGroup: Sendable {
  struct Alternative: Sendable {
    let steps: [PlannedStep]
    /// The place in the automaton that they lead to.
    let end: Int
    let name: [UInt8]
    let fields: [PlannedField]
  }

  let alternatives: [Alternative]

  init(_ group: TreePlan.Group, _ nodes: inout [TreeNode]) {
    alternatives = zip(group.paths, group.names).map { path, name in
      let (steps, end) = PlannedStep.plan(path, from: 0, &nodes)
      let fields = group.fields.map { PlannedField($0, from: end, &nodes) }
      return Alternative(steps: steps, end: end, name: Array(name.utf8), fields: fields)
    }
  }
}
