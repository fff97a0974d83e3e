import Foundation
import PipelineCore
import Records

@testable import Definitions

/// The project's own definitions, read once.
enum Known {
  /// The folder with `Package.swift`.
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static func pipeline(_ name: String) throws -> Pipeline {
    try Project.load(checkout).pipeline(named: name)
  }

  /// Files of one folder, by their names.
  static func entries(_ names: [String]) -> [SourceEntry] { names.map { SourceEntry(file: "/in/" + $0) } }

  /// A bundle of files at a path.
  static func bundle(_ names: [String], at path: String = "/in", _ pipeline: Pipeline) throws
    -> PipelineCore.Bundle
  {
    try PipelineCore.Bundle(path, of: entries(names), index: IndexedFiles(), pipeline: pipeline)
  }

  /// An entry as if its header had named every column of the layout's last version.
  static func headed(_ pipeline: Pipeline, banner: String = "") -> (BundleEntry) throws -> HeadedEntry {
    { entry in
      let version = pipeline.layout(of: entry.source)?.versions.last
      guard let version else { throw Missing() }
      let form = version.fixedWidth ?? FixedWidthForm(length: 0...1, skips: [], hasPreamble: false)
      let head = SourceHead(version, form, constants: entry.constants, recordsAbove: 0, banner: banner)
      return HeadedEntry(entry: entry, head: head)
    }
  }

  private struct Missing: Error {}

  /// What loading a source came to, with all of its records loaded unless said otherwise.
  static func outcome(
    _ source: Source, read: Int = 10, rejected: Int = 0, skipped: Int = 0, id: Int = 1
  ) -> LoadOutcome {
    var outcome = LoadOutcome(source: source, began: 0)
    var report = SourceReport(
      sourceFileID: id, source: source.name, file: "/in/\(source.name).csv", entry: nil)
    report.read = read
    report.rejected = rejected
    report.skippedBy = skipped == 0 ? [:] : ["footnote": skipped]
    report.loaded = read - rejected - skipped
    report.targets = [source.target: report.loaded]
    outcome.reports = [report]
    return outcome
  }
}
