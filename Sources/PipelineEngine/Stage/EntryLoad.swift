import Definitions
import Host
import PipelineCore
import PostgreSQL
import Progress
import Records
import Store
import Values

/// The load of one entry.
struct EntryLoad {
  private let entry: HeadedEntry
  private let loader: SourceLoader
  private let skips: RecordSkips
  private var encoder: RowEncoder
  private(set) var report: SourceReport
  private let quarantine: Quarantine?
  private let recordsBefore: Int
  /// What tells the keys of records that are refused; nil where none may be kept.
  private let rejectedKey: RejectedKey?
  private var tally = RejectTally()
  /// What the records that were taken hold and no column takes.
  private(set) var unread = UnreadElements()
  /// The header as it is in the source, record by record.
  private var header: [[UInt8]] = []
  /// The COPYs of the children.
  private var writers: [CopyWriter] = []
  /// The record that later ones may continue.
  private var held = HeldRecord()
  private var holding = Holding.nothing
  private var heldNumber = 0
  /// How many records left out their last field.
  private var lackingTrailing = 0
  private var blankFields: BlankFields
  /// Whether a record may hold what is left of a number that was not kept.
  private let mayHaveWithheld: Bool
  /// Nil where nobody asks for it.
  private var numberCells: NumberCells?

  private enum Holding {
    case nothing
    case record
    /// The record that would be continued was refused.
    case refused
  }

  /// So many kinds of records are distinguished.
  private static let mostKinds = 256

  /// After so many records the loader looks up from its work.
  private static let stride = 4096

  /// After so many records it says how far it has come.
  private static let progressStride = 512

  /// A load of an entry whose rows carry a number.
  ///
  /// `quarantine`: takes what is refused; nil where that is only counted.
  /// `recordsBefore`: the number of the record before the first.
  /// `isOfSeveral`: whether its rows come among those of other entries.
  init(
    _ entry: HeadedEntry, _ sourceFileID: Int, of loader: SourceLoader, to quarantine: Quarantine?,
    after recordsBefore: Int, isOfSeveral: Bool
  ) {
    self.recordsBefore = recordsBefore
    self.entry = entry
    self.loader = loader
    self.quarantine = quarantine
    skips = RecordSkips(entry.head, key: loader.source.key)
    encoder = RowEncoder(
      entry.head, columns: loader.table.known, key: loader.source.key, lists: loader.lists,
      deletion: loader.table.marksDeletions ? loader.source.merge.deletion : nil, isAlone: loader.isReplay,
      sourceFileID: isOfSeveral ? sourceFileID : nil)
    rejectedKey = quarantine.flatMap { _ in
      RejectedKey(
        entry.head, key: loader.source.key, lists: loader.lists, showsValues: loader.showsValues)
    }
    let place = entry.entry.entry
    report = SourceReport(
      sourceFileID: sourceFileID, source: loader.source.name, file: place.path, entry: place.entry)
    report.layout = "\(loader.source.layout) \(entry.head.layout.name)"
    report.format = entry.entry.format
    if entry.entry.format == .csv { report.delimiter = entry.head.delimiter }
    report.recordWay = entry.head.layout.recordWay
    report.warnings = entry.head.warnings
    blankFields = BlankFields(entry.head)
    mayHaveWithheld = loader.isReplay || entry.head.hasReasons
    numberCells = loader.isIndexed ? nil : NumberCells(entry.head, showsValues: loader.showsValues)
  }

  /// The columns of its rows, table by table, the children's behind the source's own.
  var columns: [[String]] { [encoder.columnNames] + encoder.childColumnNames }

  /// The number that its rows carry.
  var sourceFileID: Int { report.sourceFileID }

  /// What its entry is called, for errors.
  var place: String { entry.entry.entry.description }

  /// Reads the records into COPYs that are under way.
  ///
  /// `children`: those of the children.
  /// `sequence`: opens the entry behind those before it.
  mutating func read(
    into buffer: inout CopyBuffer, children: [CopyWriter], in sequence: EntrySequence
  ) throws {
    writers = children
    defer { writers = [] }
    let before = [buffer.rows] + children.map { $0.buffer.rows }
    var reader = try RecordReader(
      entry.entry.entry, format: entry.head.format, encoding: loader.source.encoding, in: sequence)
    try passHeader(&reader)
    while try reader.next() {
      if try take(reader, &buffer) { reader.countUnread() }
    }
    try release(&buffer)
    let rows = zip([buffer.rows] + children.map { $0.buffer.rows }, before).map { $0 - $1 }
    report.loaded = rows[0]
    for (table, rows) in zip([loader.table] + loader.children, rows) {
      report.targets[table.target.name] = rows
    }
    report.encoding = reader.encoding.name
    report.bytes = reader.byteCount
    report.sha256 = reader.sha256
    loader.progress.note(bytes: report.bytes, rows: report.read, rejects: report.rejected)
    report.warnings += blankFields.warnings
    if lackingTrailing > 0 {
      report.warnings.append(
        "\(lackingTrailing) records have a field less than the header: the last was taken for blank")
    }
    // A release says all that there is of its records.
    if loader.table.release == nil, let seen = reader.seen { note(seen) }
    unread = reader.unread ?? UnreadElements()
    // Those are counted by the sources that take them.
    report.otherKinds = report.otherKinds.filter { !entry.kindsOfOthers.contains($0.key) }
    report.numbers = numberCells?.found ?? []
    report.note(encoder.counted, showsValues: loader.showsValues)
  }

  /// Records which columns the records of a tree have no place for, as a header could say it.
  private mutating func note(_ seen: SeenProperties) {
    let (layout, fields) = (entry.head.layout, entry.head.fields)
    let own = zip(layout.columns, fields).filter { column, field in
      !column.isRequired && field.map { !seen.holds(field: $0) } ?? false
    }
    report.lacking[loader.table.target.name] = Set(own.map(\.0.name)).subtracting(loader.source.key)
    var next = layout.columns.count
    for (group, child) in layout.children.enumerated() {
      let columns = zip(child.slots.first ?? [], fields[next...])
      next += child.slots.first?.count ?? 0
      // What has no key of its own is replaced as a whole.
      guard !child.key.isEmpty else { continue }
      let lacking = columns.filter { column, field in
        !column.isRequired && field.map { !seen.holds(field: $0, ofGroup: group) } ?? false
      }
      report.lacking[child.target] = Set(lacking.map(\.0.name)).subtracting(child.key)
    }
  }

  /// Goes on to the data, and keeps what the header says.
  private mutating func passHeader(_ reader: inout RecordReader) throws {
    let first = entry.head.recordsAbove - entry.head.headerDepth
    for number in 0..<entry.head.recordsAbove {
      guard try reader.next(), number >= first, quarantine != nil else { continue }
      header.append(RawRecord(reader, entry.head).bytes)
    }
  }

  /// Adds what came of the entry to that of its source.
  func conclude(_ outcome: inout LoadOutcome) {
    outcome.reports.append(report)
    outcome.reasons += tally.reasons(of: report)
    if report.rejected > 0, !header.isEmpty {
      outcome.headers.append(RejectHeader(sourceFileID: report.sourceFileID, records: header))
    }
  }

  /// Gives whether rows were made of the record.
  private mutating func take(_ reader: borrowing RecordReader, _ buffer: inout CopyBuffer) throws -> Bool {
    if reader.place.line % EntryLoad.stride == 0 {
      try Interruption.shared.check()
      try loader.cancellation.check()
    }
    if reader.isBlank {
      encoder.endBlock()
      return false
    }
    report.read += 1
    if reader.lacksTrailing { lackingTrailing += 1 }
    if report.read % EntryLoad.progressStride == 0 {
      // The bytes of a workbook are not read in their order.
      let bytes = entry.entry.format == .xlsx ? nil : reader.byteCount
      loader.progress.note(bytes: bytes, rows: report.read, rejects: report.rejected)
    }
    if let malformation = reader.malformation, !skips.excuses(reader, malformation) {
      if let rule = entry.head.kind?.leavesOut(reader.raw, to: entry) {
        report.skippedBy[rule, default: 0] += 1
        return false
      }
      if entry.head.kind?.isTakenBefore(reader.raw, by: entry) == true { report.refusedBefore += 1 }
      try release(&buffer)
      if skips.continuation != nil { holding = .refused }
      let fault = Fault(
        column: nil, rule: malformation.name, explanation: "the record \(malformation.description)")
      try reject(reader, fault)
      return false
    }
    if let rule = skips.rule(reader) {
      report.skippedBy[rule, default: 0] += 1
      if let kind = skips.otherKind(reader), report.otherKinds.count < EntryLoad.mostKinds {
        report.otherKinds[kind, default: 0] += 1
      }
      return false
    }
    if let fault = skips.refusal(reader) {
      try release(&buffer)
      if skips.continuation != nil { holding = .refused }
      try reject(reader, fault)
      return false
    }
    if let offset = reader.undecodable {
      try release(&buffer)
      if skips.continuation != nil { holding = .refused }
      let fault = Fault(
        column: nil, rule: ValueFailure.undecodable.name,
        explanation: "byte \(offset) of the file is no character in \(reader.encoding.name)")
      try reject(reader, fault)
      return false
    }
    if mayHaveWithheld, hasWithheld(reader) {
      try release(&buffer)
      if skips.continuation != nil { holding = .refused }
      let fault = Fault(
        column: nil, rule: "withheld",
        explanation: "asterisks stand for a number that was not kept: write there what the source has")
      try reject(reader, fault)
      return false
    }
    encoder.encoding = reader.encoding
    guard let rule = skips.continuation else {
      let number = recordsBefore + report.read - report.skipped
      let fault = try reader.withRecord { bytes, fields in
        blankFields.look(bytes, fields)
        return try encoder.encode(
          bytes, fields, record: number, line: reader.place.line, into: &buffer, children: writers,
          rows: { reader.rowCount($0) })
      }
      if let fault { try reject(reader, fault) }
      numberCells?.note(reader)
      return fault == nil
    }
    guard skips.isContinuation(reader) else {
      try release(&buffer)
      held.hold(reader)
      heldNumber = recordsBefore + report.read - report.skipped
      holding = .record
      return false
    }
    guard case .record = holding, held.agrees(with: reader, in: skips.sameKey) else {
      let fault = Fault(
        column: nil, rule: "lone-continuation",
        explanation: "the record continues one that was refused or is not there")
      try reject(reader, fault)
      return false
    }
    if let fault = reader.withRecord({ _, fields in encoder.shortage(fields) }) {
      try reject(reader, fault)
      return false
    }
    guard held.join(reader, fields: skips.joined) else {
      holding = .refused
      let fault = Fault(
        column: nil, rule: Malformation.tooLong.name,
        explanation: "the record is longer than a record may be with those that continue it")
      try rejectHeld(fault)
      try reject(reader, fault)
      return false
    }
    report.skippedBy[rule, default: 0] += 1
    return false
  }

  /// Whether a field has what is left of a number that was not kept.
  private func hasWithheld(_ reader: borrowing RecordReader) -> Bool {
    reader.withRecord(entry.head.hasWithheld)
  }

  /// Encodes the record that has been held; no record continues it any more.
  private mutating func release(_ buffer: inout CopyBuffer) throws {
    guard case .record = holding else { return }
    holding = .nothing
    let fault = try held.withRecord { bytes, fields in
      blankFields.look(bytes, fields)
      return try encoder.encode(
        bytes, fields, record: heldNumber, line: held.place.line, into: &buffer, children: writers)
    }
    if let fault { try rejectHeld(fault) }
  }

  private mutating func reject(_ reader: borrowing RecordReader, _ fault: Fault) throws {
    let (value, key) = reader.withRecord { bytes, fields in
      (shown(fault, bytes, fields), keyText(of: fault, bytes, fields))
    }
    let refused = note(fault, reader.place, value, key)
    guard let quarantine, quarantine.takesMore else { return }
    try quarantine.take(refused, RawRecord(reader, entry.head))
  }

  private mutating func rejectHeld(_ fault: Fault) throws {
    let (value, key) = held.withRecord { bytes, fields in
      (shown(fault, bytes, fields), keyText(of: fault, bytes, fields))
    }
    let refused = note(fault, held.place, value, key)
    guard let quarantine, quarantine.takesMore else { return }
    try quarantine.take(refused, RawRecord(held, entry.head))
  }

  private mutating func note(
    _ fault: Fault, _ place: RecordPlace, _ value: String?, _ key: String?
  ) -> Quarantine.Refused {
    report.rejected += 1
    if report.firstReject == nil { report.firstReject = place.line }
    quarantine?.count()
    tally.count(fault, line: place.line, value: value)
    return Quarantine.Refused(
      sourceFileID: report.sourceFileID, line: place.line, byteOffset: place.byteOffset, column: fault.column,
      rule: fault.rule, value: value, key: key)
  }

  /// The key of a record that is refused for one of its values, or for a byte: the fields of others may be
  /// anywhere. Nil where the record is not kept either.
  private func keyText(of fault: Fault, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> String? {
    guard quarantine?.takesMore == true, fault.column != nil || fault.rule == ValueFailure.undecodable.name
    else { return nil }
    return rejectedKey?.text(bytes, fields, encoding: encoder.encoding)
  }

  /// The value to blame, where it may be seen.
  private func shown(_ fault: Fault, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> String? {
    guard loader.showsValues, fault.column != nil, let field = fault.field, field < fields.count else {
      return nil
    }
    return ShownValue.text(bytes.extracting(fields[field].range), encoding: encoder.encoding)
  }
}

extension SourceReport {
  /// Tells what columns found odd but harmless.
  fileprivate mutating func note(_ columns: [ColumnEncoder], showsValues: Bool) {
    for column in columns {
      if let lookup = column.lookup, lookup.unknown.total > 0 {
        note(lookup, of: column, showsValues: showsValues)
      }
      if column.restored > 0 { restoredZeros[column.name, default: 0] += column.restored }
      let odd = column.odd.total
      if odd > 0 {
        oddValues[column.name, default: 0] += odd
        warnings.append(
          "\(column.name): \(odd) values are odd, and were loaded as they are"
            + (showsValues ? ": " + column.odd.shown : ""))
      }
      for (reason, count) in column.blanked.sorted(by: { $0.key < $1.key }) {
        blankedValues[column.name, default: 0] += count
        warnings.append("\(column.name): \(count) values were left blank: the value \(reason)")
      }
    }
  }

  private mutating func note(_ lookup: CodeLookup, of column: ColumnEncoder, showsValues: Bool) {
    let count = lookup.unknown.total
    unknownCodes[column.name, default: 0] += count
    let start =
      "\(column.name): \(count) records have a value that the code list '\(lookup.list)' lacks"
    warnings.append(start + (showsValues ? ": " + lookup.unknown.shown : ""))
  }
}
