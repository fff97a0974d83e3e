/// Makes the records of a sample's file, from the first above the header to the last below the rows.
struct RecordMaker {
  private let file: SampleFile
  private let maker: RowMaker
  private let texts: [String: String]
  private let format: SampleFormat
  private let ranges: [String: [CodeRange]]
  /// The fields of each part's rows, as the format has them; nil for what the part leaves blank.
  private let fields: [[SampleFile.Field?]]
  /// For each field of texts between values those texts, with what the release says put in.
  private let between: [[[[UInt8]]]]

  init(_ file: SampleFile, maker: RowMaker, texts: [String: String], format: SampleFormat) {
    self.file = file
    self.maker = maker
    self.texts = texts
    self.format = format
    var ranges: [String: [CodeRange]] = [:]
    for table in maker.tables {
      if case .codes(let plan) = table.origin { ranges[table.name] = plan.ranges }
    }
    self.ranges = ranges
    fields = file.parts.indices.map { part in
      file.columns.map { (part == 0 ? $0.field : $0.others[part])?.field(in: format) }
    }
    between = fields.map { fields in
      fields.map { field in
        guard case .template(let templates, _)? = field else { return [] }
        return templates.map { Array($0.filled(texts).utf8) }
      }
    }
  }

  /// Hands each record to a closure, in order.
  func forEach(_ body: (SampleRecord) throws(SampleError) -> Void) throws(SampleError) {
    if format == .txt {
      for line in file.text.before { try body(record(.banner, [line])) }
    } else {
      for line in file.before { try body(record(.banner, line)) }
      for words in file.header(texts) { try body(record(.header, words)) }
      for line in file.between { try body(record(.blank, line)) }
    }
    var number = 0
    for part in file.parts.indices.dropFirst() where !file.parts[part].isLeftOut {
      try maker.forEach(of: file.parts[part].table) { (frame) throws(SampleError) in
        try body(row(number, &frame, part: part, isFirstOfBlock: true))
        number += 1
      }
    }
    if !file.parts[0].isLeftOut { try own(from: number, body) }
    for line in format == .txt ? file.text.after.map({ [$0] }) : file.after {
      try body(record(.footer, line))
    }
  }

  /// The rows of the file's own source.
  private func own(
    from first: Int, _ body: (SampleRecord) throws(SampleError) -> Void
  ) throws(SampleError) {
    var number = first
    var last: Int64?
    try maker.forEach(of: file.table) { (frame) throws(SampleError) in
      if let condition = file.condition, condition.value(&frame) == 0 { return }
      let block = file.block?.value(&frame)
      let isFirst = last == nil || block != last
      if isFirst, last != nil { try body(record(.blank, [String]())) }
      last = block ?? last
      let isTwice = file.again.map { $0.value(&frame) != 0 } ?? false
      for _ in 0..<(isTwice ? 2 : 1) {
        try body(row(number, &frame, part: 0, isFirstOfBlock: isFirst))
        number += 1
      }
    }
  }

  private func record(_ role: SampleRecord.Role, _ line: [TextTemplate]) -> SampleRecord {
    record(role, line.map { $0.filled(texts) })
  }

  /// A record of texts, filled up with blank fields to the width of the file; a line of a txt is one text.
  private func record(_ role: SampleRecord.Role, _ line: [String]) -> SampleRecord {
    let blanks = format == .txt ? 0 : max(0, file.columns.count - line.count)
    return SampleRecord(
      role: role, fields: line.map { Array($0.utf8) } + Array(repeating: [], count: blanks))
  }

  private func row(
    _ number: Int, _ frame: inout Frame, part: Int, isFirstOfBlock: Bool
  ) -> SampleRecord {
    var record = SampleRecord(role: .row(number), part: part, fields: [])
    record.fields.reserveCapacity(file.columns.count)
    // Columns of one condition are side by side, often by the hundred: it is judged once.
    var judged: (condition: String?, holds: Bool) = (nil, true)
    for (index, column) in file.columns.enumerated() {
      let condition = part == 0 ? column.condition : nil
      if condition?.text != judged.condition {
        judged = (condition?.text, condition.map { $0.holds.value(&frame) != 0 } ?? true)
      }
      record.fields.append(judged.holds ? field(&frame, part: part, index, isFirstOfBlock) : [])
    }
    return record
  }

  private func field(_ frame: inout Frame, part: Int, _ index: Int, _ isFirstOfBlock: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    switch fields[part][index] {
    case .formula(let formula, let style):
      if style == .firstOfBlock, !isFirstOfBlock { break }
      append(formula.value(&frame), formula.kind, style, to: &bytes)
    case .template(_, let formulas):
      bytes = between[part][index][0]
      for (number, formula) in formulas.enumerated() {
        append(formula.value(&frame), formula.kind, nil, to: &bytes)
        bytes += between[part][index][number + 1]
      }
    case .byFormat, .blank, nil: break
    }
    return bytes
  }

  @inline(never)
  private func append(
    _ value: Int64, _ kind: ValueKind, _ style: SampleFile.Style?, to bytes: inout [UInt8]
  ) {
    switch kind {
    case .number(let scale):
      // A cell of a sheet has a number, which has no zeros at its end.
      Self.append(value, scale, isShort: format == .xlsx || format == .csv && style == .short, to: &bytes)
    case .flag: bytes.append(value == 0 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
    case .code(let table):
      let place = CodeRange.place(value)
      ranges[table]?[place.range].append(place.ordinal, to: &bytes)
    case .date(let order): CalendarDay.append(value, order, to: &bytes)
    case .text:
      let text = maker.pool.texts[Int(value)]
      bytes += format == .csv && style == .short ? text.withoutLeadingZeros : text
    }
  }

  private static func append(_ value: Int64, _ scale: Int, isShort: Bool, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var scale = scale
    while isShort, scale > 0, rest % 10 == 0 {
      rest /= 10
      scale -= 1
    }
    let start = bytes.count
    var place = 0
    repeat {
      if place == scale, scale > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      place += 1
    } while rest > 0 || place <= scale
    bytes[start...].reverse()
  }
}

extension [UInt8] {
  /// The bytes without the zeros before the last digit that they begin with.
  var withoutLeadingZeros: [UInt8] {
    Array(dropLast().drop { $0 == UInt8(ascii: "0") } + suffix(1))
  }
}
