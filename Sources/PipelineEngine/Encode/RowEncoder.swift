package import Definitions
package import PipelineCore
package import PostgreSQL
package import Records
package import Values

/// Turns records into rows of COPY: each field is normalised, judged and written in one pass over its bytes,
/// without a String.
package struct RowEncoder {
  private var columns: [ColumnEncoder]
  private var children: [ChildEncoder]
  private var scratch = ColumnEncoder.Scratch()
  /// Where the rows of a record begin in each child's buffer.
  private var marks: [CopyBuffer.Mark] = []

  /// The encoding of the records' fields.
  package var encoding: TextEncoding {
    get { scratch.encoding }
    set { scratch.encoding = newValue }
  }

  /// Tells which records mean that a row is to be deleted; nil where none do.
  private let deletion: DeletionMark?
  /// The number of the rows' file, where rows have it as a field; nil where the server fills it in.
  private let sourceFileID: Int?
  private let marksDeletions: Bool
  /// The places of the key's columns among all columns.
  private let key: [Int]
  /// The index of the last field that any column needs.
  private let lastField: Int
  /// How many fields the header names; of a tree no number is too large.
  private let width: Int
  /// Whether every record must have as many.
  private let hasEveryField: Bool
  /// How many fields a record has before those of its rows.
  private let recordWidth: Int

  /// The columns of the table in the order in which rows are written; see ``StagedTable/expectRows(of:on:)``
  /// for the others.
  let columnNames: [String]
  /// The same of each child table.
  let childColumnNames: [[String]]

  /// An encoder for the records of an entry.
  ///
  /// `known`: the columns that the rows' table has.
  /// `key`: the key's columns, which rows of child tables carry too.
  /// `isAlone`: whether records come without those that stood above them.
  /// `sourceFileID`: the number of the rows' file, where rows of several come together.
  package init(
    _ head: SourceHead, columns known: Set<String>, key: [String], lists: [String: CodeList],
    deletion: MergeRule.Deletion? = nil, isAlone: Bool = false, sourceFileID: Int? = nil
  ) {
    self.sourceFileID = sourceFileID
    let isFixedWidth = if case .fixedWidth = head.format { true } else { false }
    // Fields lie in the record as they come, with nothing but delimiters and quotes between them.
    let isInLine =
      if case .delimited(let format) = head.format {
        head.layout.continuation == nil && format.widthWithTrailing == nil
      } else {
        false
      }
    let isJSON = if case .tree(let format) = head.format { format.syntax != .xml } else { false }
    // What no file says anything about is not in a table that is merged.
    let stored = head.layout.columns.indices.filter {
      !head.layout.columns[$0].isInternal && known.contains(head.layout.columns[$0].name)
    }
    let inherited = head.layout.children.map { $0.inherited(fromKey: key).map(\.of) }
    let kept = Set(inherited.joined())
    columns = stored.map { index in
      let column = head.layout.columns[index]
      return ColumnEncoder(
        column, field: head.fields[index], isFixedWidth: isFixedWidth, isJSON: isJSON, lists: lists,
        conditions: FieldCondition.all(of: column, among: head.layout.columns, fields: head.fields),
        placeholders: ColumnPlaceholders(column, among: head.layout.columns, fields: head.fields),
        keepsLast: kept.contains(column.name), isAlone: isAlone)
    }
    let names = stored.map { head.layout.columns[$0].name }
    self.key = key.compactMap(names.firstIndex(of:))
    var next = head.layout.columns.count
    children = zip(head.layout.children, inherited).map { child, inherited in
      ChildEncoder(
        child.slots.map { slot in
          let fields = Array(head.fields[next..<(next + slot.count)])
          next += slot.count
          return zip(slot, fields).map { column, field in
            ColumnEncoder(
              column, field: field, isFixedWidth: isFixedWidth, isJSON: isJSON, lists: lists,
              conditions: FieldCondition.all(of: column, among: slot, fields: fields),
              recordConditions: FieldCondition.all(
                of: column, among: head.layout.columns, fields: head.fields, butFor: slot),
              recordBlanking: FieldCondition.blanking(
                column, among: head.layout.columns, fields: head.fields, butFor: slot),
              placeholders: ColumnPlaceholders(column, among: slot, fields: fields))
          }
        }, inherited: inherited.compactMap(names.firstIndex(of:)), hasSlot: child.key.isEmpty,
        isOpen: !child.each.isEmpty, isInLine: isInLine)
    }
    self.deletion = deletion.flatMap { DeletionMark($0, head) }
    marksDeletions = deletion != nil
    hasEveryField = head.layout.hasEveryField
    scratch.placeholders = Placeholders(
      head.layout.placeholders, marks: head.layout.knowsPlaceholders)
    // The fields of a tree are those that its plan says, and the rows of its children come behind them.
    width = head.isTree ? .max : head.width
    recordWidth = head.width
    lastField = head.isTree ? head.width - 1 : head.fields.compactMap(\.self).max() ?? -1
    let mark = deletion == nil ? [] : [StagedTable.deletionMark]
    let origin = (sourceFileID == nil ? [] : ["source_file_id"]) + ["source_line"]
    columnNames = names + origin + mark
    childColumnNames = head.layout.children.map { $0.rowColumns(ofRecord: key) + origin }
  }

  /// A blank line: what is filled down stops here.
  package mutating func endBlock() {
    for index in columns.indices { columns[index].endBlock() }
  }

  /// The columns, those of children too, with what they counted.
  var counted: [ColumnEncoder] { columns + children.flatMap { $0.slots.flatMap(\.self) } }

  /// Writes one row, and those of the child tables, ended; on a fault all of them are rolled back.
  ///
  /// `rows`: how many rows a tree has of each child table.
  package mutating func encode(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, record: Int, line: Int, into buffer: inout CopyBuffer,
    children writers: [CopyWriter], rows: (_ child: Int) -> Int = { _ in 0 }
  ) throws -> Fault? {
    if let fault = shortage(fields) { return fault }
    if fields.count > width, let fault = surplus(bytes, fields) { return fault }
    let mark = buffer.mark
    let isDeleted = deletion?.marks(bytes, fields) ?? false
    do {
      if isDeleted {
        for index in columns.indices {
          if key.contains(index) {
            try columns[index].write(bytes, fields, record: record, &scratch, into: &buffer)
          } else {
            buffer.null()
          }
        }
      } else {
        try columns.write(bytes, fields, record: record, &scratch, into: &buffer)
      }
    } catch {
      buffer.dropRows(from: mark)
      return error
    }
    end(line, in: &buffer, isDeleted: marksDeletions ? isDeleted : nil)
    if !writers.isEmpty, !isDeleted,
      let fault = try encodeChildren(bytes, fields, record: record, line, writers, rows)
    {
      buffer.dropRows(from: mark)
      return fault
    }
    try buffer.sendIfFull()
    return nil
  }

  private mutating func encodeChildren(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, record: Int, _ line: Int, _ writers: [CopyWriter],
    _ rows: (_ child: Int) -> Int
  ) throws -> Fault? {
    marks.removeAll(keepingCapacity: true)
    var next = recordWidth
    for (child, writer) in writers.enumerated() {
      do {
        next = try encodeRows(
          of: child, rows, from: next, bytes, fields, record: record, line, into: &writer.buffer)
      } catch {
        for (writer, mark) in zip(writers, marks) { writer.buffer.dropRows(from: mark) }
        return error
      }
    }
    for writer in writers { try writer.buffer.sendIfFull() }
    return nil
  }

  /// Writes a record's rows of a child table.
  ///
  /// `first`: the first of their fields in a tree; gives that of the next table's.
  private mutating func encodeRows(
    of child: Int, _ rows: (_ child: Int) -> Int, from first: Int, _ bytes: Span<UInt8>,
    _ fields: Span<FieldRange>, record: Int, _ line: Int, into buffer: inout CopyBuffer
  ) throws(Fault) -> Int {
    marks.append(buffer.mark)
    children[child].look(at: bytes, fields, &scratch)
    let width = children[child].rowWidth
    let count = width == nil ? children[child].slots.count : rows(child)
    for number in 0..<count {
      let (slot, place) = width.map { (0, first + number * $0) } ?? (number, 0)
      let fields = fields.extracting(place...)
      guard children[child].holdsText(slot, bytes, fields) else {
        if width == nil, children[child].isBlank(after: slot, bytes, fields) { break }
        continue
      }
      do {
        try encodeRow(
          child, slot, number: number + 1, bytes, fields, record: record, line, into: &buffer)
      } catch {
        var fault = error
        fault.field = fault.field.map { $0 + place }
        throw fault
      }
    }
    return first + (width ?? 0) * count
  }

  /// Writes a row of a child table, unless nothing is left of what is in its fields.
  private mutating func encodeRow(
    _ child: Int, _ slot: Int, number: Int, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, record: Int,
    _ line: Int, into buffer: inout CopyBuffer
  ) throws(Fault) {
    let (start, values) = (buffer.mark, scratch.values)
    for index in children[child].inherited {
      let value = columns[index].last
      buffer.field(value.span)
    }
    if children[child].hasSlot { buffer.field(number) }
    try children[child].slots[slot].write(bytes, fields, record: record, &scratch, into: &buffer)
    if scratch.values > values {
      end(line, in: &buffer)
    } else {
      // Of placeholders and the like nothing is left.
      buffer.dropRows(from: start)
    }
  }

  private func end(_ line: Int, in buffer: inout CopyBuffer, isDeleted: Bool? = nil) {
    if let sourceFileID { buffer.field(sourceFileID) }
    buffer.field(line)
    if let isDeleted { buffer.plainField([isDeleted ? 0x74 : 0x66].span) }
    buffer.closeRow()
  }

  /// A record that ends before the last field that a column needs was cut off.
  func shortage(_ fields: Span<FieldRange>) -> Fault? {
    guard fields.count <= lastField || hasEveryField && fields.count < width else { return nil }
    return Fault(
      column: nil, rule: "too-few-fields",
      explanation: "the record has \(fields.count) fields, the header \(width)")
  }

  /// Text beyond the last named column means that the record's fields have shifted.
  private func surplus(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Fault? {
    if hasEveryField { return surplus(of: fields.count) }
    for index in width..<fields.count where bytes.holdsText(fields[index].range) {
      return surplus(of: fields.count)
    }
    return nil
  }

  private func surplus(of count: Int) -> Fault {
    Fault(
      column: nil, rule: "too-many-fields",
      explanation: "the record has \(count) fields, the header \(width)")
  }
}

extension [ColumnEncoder] {
  /// Writes the columns' values of one record.
  @inline(__always)
  fileprivate mutating func write(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, record: Int, _ scratch: inout ColumnEncoder.Scratch,
    into buffer: inout CopyBuffer
  ) throws(Fault) {
    // One look shows that the columns are nobody else's, in place of one for each.
    var columns = mutableSpan
    for index in columns.indices {
      try columns[index].write(bytes, fields, record: record, &scratch, into: &buffer)
    }
  }
}

/// The columns of a child table, slot by slot, or those of each row of what repeats any number of times.
private struct ChildEncoder {
  var slots: [[ColumnEncoder]]
  /// The fields of all slots, one slot after the other: most slots of a wide record are blank, and are passed
  /// over without a look at their columns.
  private let places: [Int]
  /// Where in ``places`` each slot begins, and the last one ends.
  private let starts: [Int]
  /// The fields of all slots, where these are ranges in each of which a slot has as many fields as another,
  /// one slot's behind the other's; empty where they are not.
  private let runs: [BlankRun]
  /// The places among the record's columns of those whose values rows have, too.
  let inherited: [Int]
  /// Whether rows are numbered within their record.
  let hasSlot: Bool

  /// The columns whose rules hang on the record.
  private let hanging: [(slot: Int, column: Int)]

  /// How many fields a row has of its own; nil where slots are fields of the record.
  let rowWidth: Int?

  /// `isOpen`: whether the one slot is that of each row of what repeats any number of times.
  /// `isInLine`: whether there is nothing but delimiters and quotes between the fields of a record.
  init(_ slots: [[ColumnEncoder]], inherited: [Int], hasSlot: Bool, isOpen: Bool, isInLine: Bool) {
    self.slots = slots
    (self.inherited, self.hasSlot) = (inherited, hasSlot)
    rowWidth =
      isOpen
      ? slots.first?.count {
        if case .field = $0.source { true } else { false }
      } : nil
    let fields = slots.map { slot in
      // The same field may be two columns'.
      Set(
        slot.compactMap {
          if case .field(let place) = $0.source, $0.tellsOfText { place } else { nil }
        }
      ).sorted()
    }
    hanging = slots.enumerated().flatMap { slot, columns in
      columns.indices.filter { columns[$0].hangsOnRecord }.map { (slot, $0) }
    }
    places = fields.flatMap(\.self)
    starts = fields.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    runs = isInLine ? BlankRun.runs(of: fields) : []
  }

  /// Finds out which rules hold in the rows of a record.
  @inline(__always)
  mutating func look(
    at bytes: Span<UInt8>, _ fields: Span<FieldRange>, _ scratch: inout ColumnEncoder.Scratch
  ) {
    for (slot, index) in hanging { slots[slot][index].look(at: bytes, fields, &scratch) }
  }

  /// Whether all fields of the slots behind one are empty, as far as that is seen at once.
  @inline(__always)
  func isBlank(after slot: Int, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Bool {
    if runs.isEmpty { return false }
    for run in runs where !run.isEmpty(from: slot &+ 1, bytes, fields) { return false }
    return true
  }

  /// Whether any field of a slot is not blank.
  @inline(__always)
  func holdsText(_ slot: Int, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Bool {
    for index in starts[slot]..<starts[slot &+ 1] {
      let field = fields[places[index]]
      if !field.isEmpty, bytes.holdsText(field.range) { return true }
    }
    return false
  }
}

extension Span<UInt8> {
  /// Whether there is anything but blanks at a place.
  func holdsText(_ range: Range<Int>) -> Bool {
    for place in range where self[place] != 0x20 { return true }
    return false
  }
}
