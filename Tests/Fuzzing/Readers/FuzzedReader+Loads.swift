import Definitions
import PipelineCore
import PipelineEngine
import PostgreSQL
import Records

/// What a run does of a source without a server: its entries, their heads, and rows of their records.
extension FuzzedReader {
  static let loads = [
    FuzzedReader("load", longest: 8192, words: ["\u{1}data/", "\u{1}a/layouts/", ",", "\"", "\n"]) {
      input, folder in
      // Files below `a` are the pipeline, those below `data` the source.
      try folder.put(input.files)
      let pipeline = try Pipeline.load(folder.path + "/a")
      let request = RunRequest(source: folder.path + "/data")
      for entry in try Discovered(request, pipeline: pipeline).plan.entries { try read(entry, of: pipeline) }
    }
  ]

  private static func read(_ entry: HeadedEntry, of pipeline: Pipeline) throws {
    let (source, head) = (entry.entry.source, entry.head)
    var encoder = RowEncoder(
      head, columns: Set(head.layout.columns.map(\.name)), key: source.key, lists: pipeline.lists,
      deletion: source.merge.deletion)
    var buffer = CopyBuffer.discarding()
    var reader = try RecordReader(entry.entry.entry, format: head.format, encoding: source.encoding)
    var number = 0
    while try reader.next() {
      number += 1
      if reader.isBlank { encoder.endBlock() }
      guard reader.malformation == nil else { continue }
      encoder.encoding = reader.encoding
      _ = try reader.withRecord { bytes, fields in
        try encoder.encode(
          bytes, fields, record: number, line: reader.place.line, into: &buffer, children: [])
      }
    }
  }
}
