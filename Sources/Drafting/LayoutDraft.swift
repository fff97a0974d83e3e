public import Definitions
import Records
import Values

/// A further version of a pipeline's layout, drafted from a sample: which of its columns are which of those
/// that the pipeline stores, by what headers call them and by the look of their values.
///
/// ```swift
/// let draft = try LayoutDraft(from: "mercy-on-call-2025-11-20.csv", into: project.pipeline(named: "directory-csv"))
/// write(draft.file.text, to: draft.file.path)    // Pipelines/directory-csv/layouts/list/mercy-on-call.yaml
/// ```
///
/// What it makes of a column is what the versions that are there make of theirs: types, tables, rules.
public struct LayoutDraft: Sendable {
  /// A column of the sample.
  public struct Column: Sendable {
    /// What its header calls it.
    public let header: String
    /// The columns that are made of it, `schema.table.column`; none where none could be found.
    public let stored: [String]

    /// The same for people, each table named once: `directory.provider_address.phone, phone_extension`.
    public var storedText: String {
      var (text, last) = ("", "")
      for name in stored {
        let table = name.lastIndex(of: ".").map { String(name[...$0]) } ?? ""
        text += (text.isEmpty ? "" : ", ") + (table == last ? String(name.dropFirst(table.count)) : name)
        last = table
      }
      return text
    }
  }

  /// The pipeline.
  public let pipeline: String
  /// The version's name, and that of its file.
  public let name: String
  /// The columns of the sample, in its order.
  public let columns: [Column]
  /// How many records were looked at.
  public let records: Int
  /// What the user should know.
  public let notes: [String]
  /// What the sample does not tell for certain; it is in comments of the layout, too.
  public let doubts: [DraftDoubt]
  /// Whether a run needs to be given the release, as the sample's name does not.
  public let needsRelease: Bool
  /// The layout.
  public let file: PipelineDraft.File

  /// A draft from a file, or the only entry of an archive.
  /// - Parameters:
  ///   - path: the sample.
  ///   - pipeline: the pipeline whose layout gets the version.
  ///   - name: the version's name; if nil it is made of the file's.
  ///   - sheet: the sheet of a workbook; if nil the first that has a header.
  ///   - answers: what the user says where the sample does not tell.
  /// - Throws: ``DraftError``, and `RecordsError` where the file cannot be read.
  public init(
    from path: String, into pipeline: Pipeline, name: String? = nil, sheet: String? = nil,
    answers: DraftAnswers = DraftAnswers()
  ) throws {
    if let name, !ColumnName.isPipelineName(name) { throw DraftError.unusableName(name) }
    let sample = try SampleFile(path, sheet: sheet)
    guard let name = name ?? ColumnName.pipelineName(ofFile: sample.entry.name) else {
      throw DraftError.unusableName(sample.entry.name)
    }
    let headers = sample.columns.map(\.place.text)
    if let unknown = answers.columns.keys.sorted().first(where: { !headers.contains($0) }) {
      throw DraftError.unknownColumn(file: sample.entry.description, name: unknown, columns: headers)
    }
    let drafts = pipeline.sources.compactMap { source -> (source: Source, mapping: ColumnMapping)? in
      guard source.formats.contains(sample.kind), let layout = pipeline.layout(of: source)
      else {
        return nil
      }
      return (source, ColumnMapping(sample, layout: layout, key: source.key, answers: answers))
    }
    guard !drafts.isEmpty else { throw DraftError.takesNoLayout(pipeline: pipeline.name) }
    let usable = drafts.filter { $0.mapping.missingKey.isEmpty && !$0.mapping.mapped.isEmpty }
    guard let best = usable.max(by: { $0.mapping.mapped.count < $1.mapping.mapped.count }) else {
      throw DraftError.nothingMapped(
        file: sample.entry.description, pipeline: pipeline.name, needed: drafts[0].mapping.missingKey)
    }
    let (source, mapping) = best
    guard !mapping.isNameless else {
      throw DraftError.nameless(
        file: sample.entry.description, pipeline: pipeline.name, columns: mapping.headers)
    }
    doubts = mapping.doubts
    self.pipeline = pipeline.name
    self.name = name
    let target = source.target
    columns = mapping.headers.enumerated().map { index, header in
      let field = mapping.mapped.first { $0.sample == index }?.field
      return Column(
        header: header, stored: field?.columns.map { "\($0.table ?? target).\($0.column.name)" } ?? [])
    }
    records = sample.records
    var notes = sample.allNotes
    if let delimiter = sample.delimiter, delimiter != source.delimiter {
      notes.append(
        "the sample has \(DelimitedFormat.name(of: delimiter)) between its fields, and the source '\(source.name)' reads "
          + "\(DelimitedFormat.name(of: source.delimiter)): save it so, or give the pipeline a source with that delimiter"
      )
    }
    self.notes = notes
    needsRelease =
      pipeline.publishing == .release
      && pipeline.release.release(in: sample.entry.name, at: .entryName(source: source.name)) == nil
    file = PipelineDraft.File(
      path: "Pipelines/\(pipeline.name)/layouts/\(source.layout)/\(name).yaml",
      text: mapping.text(layout: source.layout, version: name, pipeline: pipeline.name))
  }
}
