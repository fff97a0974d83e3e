public import Definitions

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
    /// The source that it is for.
    public let source: String
    /// How many bytes it has, uncompressed.
    public let bytes: Int
  }

  let definition: SampleDefinition

  /// How many rows the main table has when none are asked for.
  public var standardRows: Int { definition.rows }
  /// The release that is made when none is asked for.
  public var standardRelease: String { definition.release.standard }

  /// Reads a pipeline's `sample.yaml`.
  /// - Throws: every mistake found in it.
  public static func load(_ pipeline: Pipeline) throws(DefinitionErrors) -> Sampler {
    Sampler(definition: try SampleDefinition.load(pipeline))
  }

  /// Writes a bundle as a zip.
  /// - Parameters:
  ///   - path: the file to write; it appears when it is whole.
  ///   - rows: how many rows the main table has; ``standardRows`` when nil.
  ///   - seed: decides the values.
  ///   - release: the release's name; ``standardRelease`` when nil.
  /// - Returns: the entries, in their order in the zip.
  @discardableResult
  public func write(
    to path: String, rows: Int? = nil, seed: UInt64 = 1, release: String? = nil
  ) throws(SampleError) -> [Entry] {
    let texts = try definition.release.texts(for: release ?? standardRelease)
    let maker = RowMaker(
      tables: definition.tables, pool: definition.pool, rows: rows ?? standardRows, seed: seed)
    try checkRows(maker.rows)
    let zip = try ZipWriter(path)
    var entries: [Entry] = []
    for (source, file) in definition.files {
      let name = file.entry.filled(texts)
      var bytes = 0
      try zip.beginEntry(name)
      var writer = CSVWriter(file, maker: maker, texts: texts) { (piece) throws(SampleError) in
        bytes += piece.count
        try zip.write(piece)
      }
      try writer.write()
      entries.append(Entry(name: name, source: source, bytes: bytes))
    }
    try zip.finish()
    return entries
  }

  /// Refuses a number of rows before a file is begun.
  private func checkRows(_ rows: Int) throws(SampleError) {
    for case .codes(let plan) in definition.tables.map(\.origin) {
      guard RowShares.rows(rows, ranges: plan.ranges, variants: plan.variants.count) == nil else { continue }
      throw .rows(
        rows, least: RowShares.least(plan.ranges),
        most: RowShares.most(plan.ranges, variants: plan.variants.count))
    }
  }
}
