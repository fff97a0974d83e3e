import Definitions
import Records
import Values

extension SampleFile {
  mutating func readTree() throws {
    if kind == .json, let name = try wrapper() { way = [name] }
    let syntax: TreeFormat.Syntax = kind == .json ? .json : .jsonLines
    let format = RecordFormat.tree(TreeFormat(syntax, plan: TreePlan(fields: []), records: way))
    var reader = try RecordReader(entry, format: format)
    var found = FoundLeaves()
    while try reader.next() {
      guard !reader.isBlank else { continue }
      guard records < Self.mostRecords else {
        isWhole = false
        break
      }
      take(try leaves(of: reader), &found)
    }
    try endTree(found)
  }

  mutating func readXML() throws {
    way = try XMLLeaves.recordWay(of: entry)
    var sample = self
    var found = FoundLeaves()
    try XMLLeaves.read(entry, records: way) { leaves in
      guard sample.records < Self.mostRecords else {
        sample.isWhole = false
        return false
      }
      sample.take(leaves, &found)
      return true
    }
    self = sample
    try endTree(found)
  }

  /// So many things that repeat are named.
  private static let mostNotes = 8

  /// What the records had so far: the columns by the names that lead to them, and what repeats.
  private struct FoundLeaves {
    var known: [[String]: Int] = [:]
    var left: Set<[String]> = []
  }

  private mutating func take(_ leaves: [JSONLeaves.Leaf], _ found: inout FoundLeaves) {
    records += 1
    var seen: Set<Int> = []
    for leaf in leaves {
      guard case .things = leaf.value else {
        take(leaf, &found.known, &seen)
        continue
      }
      guard found.left.insert(leaf.path).inserted else { continue }
      if found.left.count <= Self.mostNotes {
        notes.append(
          "'\(leaf.path.joined(separator: "."))' repeats and is left out: rows of it go into a child table")
      }
    }
    for column in columns.indices where !seen.contains(column) {
      // What came later was missing before.
      while columns[column].seen.records < records { columns[column].seen.take([]) }
    }
  }

  private mutating func endTree(_ found: FoundLeaves) throws {
    for column in columns.indices
    where found.left.contains(where: { columns[column].place == Self.place($0, isList: false) }) {
      notes.append("'\(columns[column].place)' is a value in some records and repeats in others")
    }
    if found.left.count > Self.mostNotes {
      notes.append("\(found.left.count - Self.mostNotes) more repeat and are left out")
    }
    encoding = TextEncoding.utf8.name
    guard !columns.isEmpty || records == 0 else { throw DraftError.noHeader(file: entry.description) }
  }

  private mutating func take(_ leaf: JSONLeaves.Leaf, _ known: inout [[String]: Int], _ seen: inout Set<Int>)
  {
    guard leaf.path.allSatisfy(Self.isPathName) else {
      let name = leaf.path.joined(separator: ".")
      let note = "'\(name)' has a name that no path can have, and is left out"
      if !notes.contains(note) { notes.append(note) }
      return
    }
    let index = known[leaf.path] ?? columns.count
    if index == columns.count {
      known[leaf.path] = index
      columns.append(Column(place: Self.place(leaf.path, isList: leaf.isItem)))
      for _ in 0..<max(0, records - 1) { columns[index].seen.take([]) }
    } else if leaf.isItem, columns[index].place == Self.place(leaf.path, isList: false) {
      var column = Column(place: Self.place(leaf.path, isList: true))
      column.seen = columns[index].seen
      columns[index] = column
    }
    guard seen.insert(index).inserted else { return }
    if case .text(let text) = leaf.value {
      columns[index].seen.take(text)
    } else {
      columns[index].seen.take([])
    }
  }

  private static func place(_ path: [String], isList: Bool) -> DraftColumn.Place {
    .path(path.joined(separator: "."), isList: isList)
  }

  /// Whether a property can be in a path, see ``TreePath``.
  private static func isPathName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains { ".[]".contains($0) }
      && !name.unicodeScalars.contains { $0.value < 0x20 }
  }

  private func leaves(of reader: borrowing RecordReader) throws -> [JSONLeaves.Leaf] {
    func failure(_ malformation: Malformation) -> DraftError {
      .malformed(file: entry.description, line: reader.place.line, reason: malformation.description)
    }
    if let malformation = reader.malformation { throw failure(malformation) }
    let raw = reader.raw
    do throws(Malformation) { return try JSONLeaves.read(raw) } catch { throw failure(error) }
  }

  /// The property of a document of one object that holds the records, where it has one that does.
  private func wrapper() throws -> String? {
    let format = RecordFormat.tree(TreeFormat(.json, plan: TreePlan(fields: [])))
    var reader = try RecordReader(entry, format: format)
    guard try reader.next(), reader.malformation == nil else { return nil }
    guard let leaves = try? JSONLeaves.read(reader.raw), try !reader.next() else { return nil }
    let things = Set(leaves.filter { $0.value == .things && $0.path.count == 1 }.map { $0.path[0] })
    guard things.count == 1, let name = things.first, Self.isPathName(name) else { return nil }
    return name
  }
}
