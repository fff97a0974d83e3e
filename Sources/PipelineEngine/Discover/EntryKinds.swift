import Definitions
import Host
import PipelineCore
import Records
import Values

/// The kinds of records that entries hold, each learnt in one reading for all sources that gather theirs from
/// the same entries.
struct EntryKinds {
  /// How records say what they are, and where they are in a document.
  private struct Form: Hashable {
    let property: String
    let way: [String]
    let format: Source.Format
  }

  /// So many kinds of records are distinguished; what has more is looked at by each source.
  private static let most = 64

  private var found: [SourceEntry: [Form: [String]]] = [:]
  private let sequence = EntrySequence()

  /// Reads all entries that several sources gather.
  /// - Throws: `RecordsError` where an entry cannot be read, `Interrupted` where the program is asked to end.
  init(of entries: [BundleEntry], pipeline: Pipeline) throws {
    var readers: [SourceEntry: Int] = [:]
    for entry in entries where entry.source.isGathered { readers[entry.entry, default: 0] += 1 }
    for entry in entries where readers[entry.entry, default: 0] > 1 {
      guard let form = pipeline.layout(of: entry.source).flatMap({ Self.form(entry, $0) }) else { continue }
      if found[entry.entry]?[form] == nil {
        found[entry.entry, default: [:]][form] = try Self.kinds(of: entry.entry, form, sequence)
      }
    }
  }

  /// The kinds of an entry's records in the order in which they come; nil where they are not known.
  func kinds(of entry: BundleEntry, _ layout: Layout) -> [String]? {
    guard let form = Self.form(entry, layout), let kinds = found[entry.entry]?[form] else { return nil }
    return kinds.count < Self.most ? kinds : nil
  }

  /// Nil where the versions of a layout differ in it.
  private static func form(_ entry: BundleEntry, _ layout: Layout) -> Form? {
    guard entry.format.isTree else { return nil }
    let forms = layout.versions.filter(\.hasPaths).map { version in
      version.kind.map { Form(property: $0.name, way: version.recordWay, format: entry.format) }
    }
    guard let first = forms.first, forms.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func kinds(
    of entry: SourceEntry, _ form: Form, _ sequence: EntrySequence
  ) throws -> [String] {
    guard let path = try? TreePath(form.property) else { return [] }
    // A kind that no record is of: nothing more of a record is read once it says its own.
    let plan = TreePlan(
      fields: [TreePlan.Field([path])], kind: TreePlan.Kind(form.property, wanted: [""]))
    var reader = try RecordReader(
      entry, format: .tree(TreeFormat(syntax(form.format), plan: plan, records: form.way)), in: sequence)
    var kinds: [String] = []
    var number = 0
    while try reader.next(), kinds.count < most {
      number += 1
      if number % 4096 == 0 { try Interruption.shared.check() }
      guard reader.malformation == nil else { continue }
      reader.withRecord { bytes, fields in
        let kind =
          fields.count > 0 ? bytes.extracting(bytes.trimmed(fields[0].range)) : bytes.extracting(0..<0)
        let isKnown = kinds.contains { $0.utf8.count == kind.count && kind.equals($0) }
        if !isKnown {
          kinds.append(kind.withUnsafeBufferPointer { String(decoding: $0.prefix(64), as: UTF8.self) })
        }
      }
    }
    return kinds
  }

  private static func syntax(_ format: Source.Format) -> TreeFormat.Syntax {
    switch format {
    case .xml: .xml
    case .json: .json
    default: .jsonLines
    }
  }
}

extension Span<UInt8> {
  /// Whether it is a text of as many bytes.
  fileprivate func equals(_ text: String) -> Bool {
    var place = 0
    for byte in text.utf8 {
      if self[place] != byte { return false }
      place += 1
    }
    return true
  }
}
