public import Definitions
public import Progress

/// Makes synthetic bundles in a publisher's layout: from the pipeline's layouts and its `sample.yaml`.
///
///     let sampler = try Sampler.load(pipeline)
///     try sampler.write(to: "RVU25D.zip", rows: 1000, seed: 1)
///
/// The same definition, number of rows, seed and release make the same bytes. Tables with a number of rows
/// of one's choice are made row by row, whatever their number.
public struct Sampler {
  /// A file of the bundle that was written.
  public struct Entry: Sendable, Hashable {
    /// The entry's name in the zip.
    public let name: String
    /// The source that it is for; nil for the file that says what the others are.
    public let source: String?
    /// How many bytes it has, uncompressed.
    public let bytes: Int
  }

  let definition: SampleDefinition

  /// After so many rows it is said how far a file has come.
  private static let progressStride = 64

  /// How many rows the main table has when none are asked for.
  public var standardRows: Int { definition.rows }
  /// The release that is made when none is asked for.
  public var standardRelease: String { definition.release.standard }

  /// Reads a pipeline's `sample.yaml`.
  /// - Throws: every mistake found in it.
  public static func load(_ pipeline: Pipeline) throws(DefinitionErrors) -> Sampler {
    Sampler(definition: try SampleDefinition.load(pipeline))
  }

  /// The quirks that a sample of the pipeline can have, general ones first.
  public var quirks: [(name: String, summary: String, formats: [SampleFormat])] {
    GeneralQuirk.allCases.map { ($0.rawValue, $0.summary, $0.formats) }
      + definition.quirks.map { ($0.name, $0.summary, $0.formats) }
  }

  /// The release that is made when none is asked for, but for some quirks: one that has them.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func standardRelease(with quirks: [String]) throws(SampleError) -> String {
    try QuirkChoice(quirks, in: definition).release(of: definition)
  }

  /// Writes a bundle as a zip, or as the files of a folder.
  /// - Parameters:
  ///   - path: the zip to write, or the folder: one that is there, or a path that ends in a slash. Each file
  ///     appears when it is whole.
  ///   - rows: how many rows the main table has; ``standardRows`` when nil.
  ///   - seed: decides the values.
  ///   - release: the release's name; when nil ``standardRelease``, or one that has the quirks.
  ///   - formats: in which formats each table is there; when nil the publisher's first that has the quirks.
  ///   - quirks: in which ways the files differ, each `name`, or `name:source` for one source's files.
  ///   - without: the sources that are left out.
  ///   - progress: where it is said how far it has come.
  /// - Returns: the entries, in their order in the zip.
  /// - Throws: ``SampleError`` where a file cannot be written.
  @discardableResult
  public func write(
    to path: String, rows: Int? = nil, seed: UInt64 = 1, release: String? = nil,
    formats: [SampleFormat]? = nil, quirks: [String] = [], without: [String] = [],
    progress: WorkProgress = WorkProgress(of: "bundles")
  ) throws(SampleError) -> [Entry] {
    let choice = try QuirkChoice(quirks, in: definition)
    let release = (release ?? choice.release(of: definition)).uppercased()
    let texts = try definition.release.texts(for: release)
    try choice.check(release: release)
    let files = try files(choice, without: without)
    let outputs = try outputs(files, in: formats, choice)
    let spread = try choice.spread(over: outputs)
    var maker = RowMaker(
      tables: definition.tables, pool: definition.pool, rows: rows ?? standardRows, seed: seed)
    maker.quirks = Set(choice.dataset.map { definition.pool.number(of: $0.name) })
    // What cannot be made is refused before a file is begun.
    for case .codes(let plan) in definition.tables.map(\.origin) { _ = try plan.rows(maker.rows) }
    try SampleOutput.checkForms(outputs)

    let folder = spread.archive.contains(.folderInZip) ? release + "/" : ""
    let bundle: any BundleWriter
    if FolderWriter.isFolder(path) {
      if let quirk = spread.archive.first { throw .quirkWithoutArchive(quirk.rawValue) }
      bundle = try FolderWriter(path)
    } else {
      bundle = try ZipWriter(path, damage: ArchiveDamage(spread.archive))
    }
    var inner = bundle
    if spread.archive.contains(.nestedZip) {
      try bundle.beginEntry(release + ".zip")
      inner = try ZipStream(path) { (bytes) throws(SampleError) in try bundle.write(bytes) }
    }
    var entries: [Entry] = []
    let names = outputs.map { folder + $0.format.renamed($0.file.entry.filled(texts)) }
    let task = progress.begin("sample \(release)")
    defer { progress.end(task) }
    let parts = names.map { task.part($0) }
    for (place, (output, quirks)) in zip(outputs, spread.files).enumerated() {
      let (name, part) = (names[place], parts[place])
      try inner.beginEntry(name)
      part.begin()
      var (bytes, rows) = (0, 0)
      try SampleOutput(file: output.file, format: output.format, quirks: quirks, maker: maker, texts: texts)
        .write(
          counting: {
            rows += 1
            if rows % Self.progressStride == 0 { part.note(bytes: bytes, rows: rows) }
          },
          { [inner] (piece) throws(SampleError) in
            bytes += piece.count
            try inner.write(piece)
          })
      part.note(bytes: bytes, rows: rows)
      part.end()
      entries.append(Entry(name: name, source: output.file.firstSource, bytes: bytes))
    }
    if let notice = definition.notice {
      let text = Array("\(notice.text)\r\n".utf8)
      try inner.beginEntry(folder + notice.entry)
      try inner.write(text)
      entries.append(Entry(name: folder + notice.entry, source: nil, bytes: text.count))
    }
    if inner !== bundle { try inner.finish() }
    try bundle.finish()
    return entries
  }

  /// The files that the quirks of the dataset make, without those that are left out.
  private func files(_ choice: QuirkChoice, without: [String]) throws(SampleError) -> [SampleFile] {
    for source in without { try definition.check(source: source) }
    let asked = choice.dataset.map(\.name)
    var files = definition.files.filter { $0.quirks.isEmpty || $0.quirks.contains { asked.contains($0) } }
    for quirk in choice.dataset { files = quirk.applied(to: files) }
    for file in files.indices {
      for part in files[file].parts.indices where without.contains(files[file].parts[part].source) {
        files[file].parts[part].isLeftOut = true
      }
    }
    files.removeAll { $0.parts.allSatisfy(\.isLeftOut) }
    if files.isEmpty { throw .nothingLeft }
    return files
  }

  /// Each file in the formats that are asked for; one that comes in none of them, in its own.
  private func outputs(
    _ files: [SampleFile], in formats: [SampleFormat]?, _ choice: QuirkChoice
  ) throws(SampleError) -> [(file: SampleFile, format: SampleFormat)] {
    for format in formats ?? [] where !files.contains(where: { $0.formats.contains(format) }) {
      throw .formatNotRead(
        format.rawValue,
        known: SampleFormat.allCases.filter { format in
          files.contains { $0.formats.contains(format) }
        }.map(\.rawValue))
    }
    let formats = formats ?? choice.formats(of: files)
    var outputs = formats.flatMap { format in
      files.filter { $0.formats.contains(format) }.map { (file: $0, format: format) }
    }
    outputs += files.filter { $0.formats.allSatisfy { !formats.contains($0) } }.map {
      ($0, $0.standardFormat)
    }
    try choice.check(outputs)
    return outputs
  }
}
