import Definitions
package import Records
import Values

/// What the records of a source hold and no column takes, over all its entries: reported once.
package struct LeftOutValues: Sendable {
  private struct Found {
    let head: SourceHead
    var elements: UnreadElements
  }

  /// By the version of the layout.
  private var found: [Found] = []

  /// So many paths are named.
  private static let shown = 100

  /// Nothing yet.
  package init() {}

  /// Adds what an entry has.
  package mutating func add(_ elements: UnreadElements, of head: SourceHead) {
    guard head.layout.unknown?.isReported == true else { return }
    if let known = found.firstIndex(where: { $0.head.layout.name == head.layout.name }) {
      found[known].elements.add(elements)
    } else {
      found.append(Found(head: head, elements: elements))
    }
  }

  /// What is reported of it, for the user; nil where there is nothing.
  package var warning: String? {
    var (paths, others): ([String], Int) = ([], 0)
    var hidden: [String: Int] = [:]
    for found in found {
      let kinds = found.head.kind?.wanted ?? []
      let kind = kinds.count == 1 ? kinds[0] + "." : ""
      let leftOut = found.head.layout.unknown?.leftOut.map(\.path) ?? []
      let nested = found.head.leftOutNames
      let places = found.head.layout.privatePlaces
      others += found.elements.others
      let around = found.head.layout.looksAround ? found.head.layout.recordWay.last : nil
      for element in found.elements.found(except: leftOut, within: around) {
        let name = element.path.lowercased()
        // A name where a value should be is a value, too.
        if let value = places.first(where: { name.hasPrefix($0 + ".") }) {
          hidden[kind + value, default: 0] += element.count
          continue
        }
        // What has a file of its own is read from there.
        if nested.contains(where: { name == $0 || name.hasPrefix($0 + ".") }) { continue }
        if paths.count < Self.shown {
          paths.append("'\(ShownValue.path(kind + element.path))' (\(element.count))")
        } else {
          others += element.count
        }
      }
    }
    paths += hidden.sorted { $0.key < $1.key }.map { "'\(ShownValue.path($0.key)).*' (\($0.value))" }
    guard !paths.isEmpty || others > 0 else { return nil }
    let more = others == 0 ? [] : ["\(others) values of more properties than are distinguished"]
    return "properties that the layout does not know were left out: "
      + (paths + more).joined(separator: ", ")
  }
}

extension LayoutVersion {
  /// The places of single values, in small letters, where some columns must never show.
  fileprivate var privatePlaces: [String] {
    let own = columns + children.flatMap { $0.slots.joined() }
    guard own.contains(where: \.isSensitive) else { return [] }
    func places(_ columns: [LayoutColumn], below way: [String]) -> [String] {
      columns.filter { !$0.type.isJSON }.flatMap { $0.place?.paths ?? [] }.map { path in
        (way + [path.plain]).filter { !$0.isEmpty }.joined(separator: ".").lowercased()
      }
    }
    return places(columns, below: [])
      + children.flatMap { child in child.each.flatMap { places(child.slots.first ?? [], below: [$0.plain]) }
      }
  }
}
