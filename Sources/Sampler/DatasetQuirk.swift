import Definitions

/// A way in which real files of one dataset differ, as its `sample.yaml` says.
struct DatasetQuirk {
  /// What becomes of a file of a source: a quirk of several turns each file into as many.
  struct Variant {
    let source: String
    let changes: [(inout SampleFile) -> Void]
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
      return own.isEmpty
        ? [file] : own.map { variant in variant.changes.reduce(into: file) { file, change in change(&file) } }
    }
  }
}
