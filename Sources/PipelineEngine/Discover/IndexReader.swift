import Definitions
import PipelineCore
import Records
import Values

/// Reads the index of a bundle, where the pipeline's definition says that there may be one.
struct IndexReader {
  private let index: BundleIndex
  private let sources: [String]
  private let format: TreeFormat

  /// A reader of documents that name the files of sources.
  init(_ index: BundleIndex) {
    self.index = index
    sources = index.named.keys.sorted()
    let groups = sources.map { TreePlan.Group(index.named[$0] ?? [], fields: [TreePlan.Field([.itself])]) }
    format = TreeFormat(.json, plan: TreePlan(fields: [], groups: groups))
  }

  /// Reads every document among the entries of a bundle that is an index.
  /// - Throws: `RecordsError` where one cannot be read.
  func read(among found: [SourceEntry]) throws -> IndexedFiles {
    var files = IndexedFiles()
    for entry in found where index.entries.matches(entry.name) && Source.Format(fileName: entry.name) == .json
    {
      var named: [(source: String, address: String)] = []
      var reader = try RecordReader(entry, format: .tree(format))
      while try reader.next() {
        if reader.malformation == nil { named += addresses(in: reader) }
      }
      files.add(entry, naming: named, among: found)
    }
    return files
  }

  /// The addresses that a record has, each with its source.
  private func addresses(in reader: borrowing RecordReader) -> [(source: String, address: String)] {
    let counts = sources.indices.map { reader.rowCount($0) }
    return reader.withRecord { bytes, fields in
      var place = 0
      var named: [(source: String, address: String)] = []
      for (source, count) in zip(sources, counts) {
        for _ in 0..<count {
          let text = bytes.extracting(fields[place].range).withUnsafeBufferPointer {
            String(decoding: $0, as: UTF8.self)
          }
          named.append((source, text))
          place += 1
        }
      }
      return named
    }
  }
}
