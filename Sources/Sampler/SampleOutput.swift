/// One file of a bundle: a table in a format, with the quirks that the file has.
struct SampleOutput {
  let file: SampleFile
  let format: SampleFormat
  let quirks: Set<GeneralQuirk>
  let maker: RowMaker
  let texts: [String: String]

  /// Refuses files that cannot be written in their format, before anything is.
  static func checkForms(_ outputs: [(file: SampleFile, format: SampleFormat)]) throws(SampleError) {
    for (file, format) in outputs where format == .txt {
      let column = file.columns.first { $0.textPlace == nil && $0.isRequired }
      if file.text.greatestLength == 0 || column != nil {
        throw .noTextForm(source: file.source, column: column?.name ?? file.columns.first?.name ?? "")
      }
    }
  }

  /// Hands the file's bytes to a closure, in order; `count` is called for each row.
  func write(
    counting count: () -> Void, _ put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) throws(SampleError) {
    let quirks = quirks.joined(by: file.ownQuirks)
    let changed = file.applying(quirks, format: format, pool: maker.pool)
    let writer = try writer(changed, quirks, put)
    let records = RecordMaker(changed, maker: maker, texts: texts, format: format)
    let splitter = RecordSplitter(changed, format: format, quirks)
    var changes = RecordQuirks(quirks, file: changed) { (record) throws(SampleError) in
      try splitter.split(record) { (record) throws(SampleError) in try writer.write(record) }
    }
    try records.forEach { (record) throws(SampleError) in
      if case .row = record.role { count() }
      try changes.take(record)
    }
    try changes.finish()
    try writer.finish()
  }

  private func writer(
    _ file: SampleFile, _ quirks: Set<GeneralQuirk>, _ put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) throws(SampleError) -> any RecordWriter {
    switch format {
    case .csv: return CSVWriter(quirks, put: put)
    case .txt:
      return TextWriter(
        file.columns, length: file.text.length,
        trimsContinuations: file.parts.contains { $0.continuation?.isTrimmed ?? false }, quirks, put: put)
    case .ndjson, .json: return JSONWriter(file.columns, isArray: format == .json, put: put)
    case .xlsx:
      let entry = file.entry.filled(texts)
      let name = entry.prefix { $0 != "." }
      return try WorkbookWriter(file.columns, sheet: String(name), quirks, put: put)
    }
  }
}
