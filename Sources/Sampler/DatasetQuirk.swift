import Definitions

/// A way in which real files of one dataset differ, as its `sample.yaml` says.
struct DatasetQuirk {
  /// What becomes of a file of a source: a quirk of several turns each file into as many.
  struct Variant {
    let source: String
    let entry: TextTemplate?
    /// The columns and the fixed-width form of another version of the layout, in place of the file's own.
    let version: (columns: [SampleFile.Column], form: FixedWidthForm?)?
    let number: String?
    /// Columns that take the place of those of their names, or are new behind the last of some that is there.
    let columns: [(column: SampleFile.Column, after: [String])]
    /// Columns that are left out.
    let without: [String]
    let condition: Formula?
    let again: Formula?
    /// The records above the header, and the lines above the rows of a txt; nil for the file's own.
    let before: [[TextTemplate]]?
    let textBefore: [TextTemplate]?
    /// How many bytes of a text a record of another format than txt holds; nil as the file has it.
    let limit: Int?
    /// Whether lines that go on with the one before end with their text.
    let trimsContinuations: Bool
  }

  let name: String
  let summary: String
  /// The formats that have the quirk.
  let formats: [SampleFormat]
  /// Which releases can have it; nil for any.
  let releases: TextPattern?
  /// The release that is made when none is asked for; nil for the sample's own.
  let standardRelease: String?
  let variants: [Variant]

  /// The files as the quirk makes them.
  func applied(to files: [SampleFile]) -> [SampleFile] {
    files.flatMap { file in
      let own = variants.filter { $0.source == file.source }
      return own.isEmpty ? [file] : own.map { $0.applied(to: file) }
    }
  }
}

extension DatasetQuirk.Variant {
  fileprivate func applied(to file: SampleFile) -> SampleFile {
    var file = file
    if let entry { file.entry = entry }
    if let number { file.number = number }
    if let version {
      file.columns = version.columns
      file.text.length = 0
      file.text = file.text.completed(by: version.form)
      file.key = file.key.filter { name in version.columns.contains { $0.name == name } }
    }
    for (column, after) in columns {
      if let place = file.columns.firstIndex(where: { $0.name == column.name }) {
        file.columns[place] = column
      } else {
        let place = file.columns.lastIndex { after.contains($0.name) }
        file.columns.insert(column, at: place.map { $0 + 1 } ?? 0)
      }
    }
    file.columns.removeAll { without.contains($0.name) }
    file.key.removeAll { without.contains($0) }
    if let condition { file.condition = condition }
    if let again { file.again = again }
    if let before { file.before = before }
    if let textBefore { file.text.before = textBefore }
    for part in file.parts.indices {
      if let limit { file.parts[part].continuation?.limit = limit }
      if trimsContinuations { file.parts[part].continuation?.isTrimmed = true }
    }
    return file
  }
}
