/// Makes the records of a sample's file, from the first above the header to the last below the rows.
struct RecordMaker {
  private let file: SampleFile
  private let maker: RowMaker
  private let texts: [String: String]
  private let format: SampleFormat
  private let ranges: [String: [CodeRange]]
  /// The fields of each part's rows, as the format has them; nil for what the part leaves blank.
  private let fields: [[SampleFile.Field?]]
  /// The same fields run by run: those that are side by side and are blank together.
  private let runs: [[FieldRun]]
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
    runs = fields.map { FieldRun.runs($0, of: file.columns) }
    between = fields.map { fields in
      fields.map { field in
        guard case .template(let templates, _)? = field else { return [] }
        return templates.map { Array($0.filled(texts).utf8) }
      }
    }
  }

  /// Hands each record to a closure, in order.
  func forEach(_ body: (inout SampleRecord) throws(SampleError) -> Void) throws(SampleError) {
    var record = SampleRecord()
    try above(&record, body)
    var number = 0
    for part in file.parts.indices.dropFirst() where !file.parts[part].isLeftOut {
      try maker.forEach(of: file.parts[part].table) { (frame) throws(SampleError) in
        fill(&record, number, &frame, part: part, isFirstOfBlock: true)
        try body(&record)
        number += 1
      }
    }
    if !file.parts[0].isLeftOut { try own(&record, from: &number, body) }
    for texts in format == .txt ? file.text.after.map({ [$0] }) : file.after {
      fill(&record, .footer, filled(texts))
      try body(&record)
    }
  }

  /// The rows of the file's own source.
  private func own(
    _ record: inout SampleRecord, from number: inout Int,
    _ body: (inout SampleRecord) throws(SampleError) -> Void
  ) throws(SampleError) {
    var last: Int64?
    try maker.forEach(of: file.table) { (frame) throws(SampleError) in
      if let condition = file.condition, condition.value(&frame) == 0 { return }
      let block = file.block?.value(&frame)
      let isFirst = last == nil || block != last
      if isFirst, last != nil {
        fill(&record, .blank, [])
        try body(&record)
      }
      last = block ?? last
      let isTwice = file.again.map { $0.value(&frame) != 0 } ?? false
      for _ in 0..<(isTwice ? 2 : 1) {
        fill(&record, number, &frame, part: 0, isFirstOfBlock: isFirst)
        try body(&record)
        number += 1
      }
    }
  }

  private func above(
    _ record: inout SampleRecord, _ body: (inout SampleRecord) throws(SampleError) -> Void
  ) throws(SampleError) {
    if format == .txt {
      for line in file.text.before {
        fill(&record, .banner, filled([line]))
        try body(&record)
      }
      return
    }
    for texts in file.before {
      fill(&record, .banner, filled(texts))
      try body(&record)
    }
    for words in file.header(texts) {
      fill(&record, .header, words)
      try body(&record)
    }
    for texts in file.between {
      fill(&record, .blank, filled(texts))
      try body(&record)
    }
  }

  private func filled(_ templates: [TextTemplate]) -> [String] { templates.map { $0.filled(texts) } }

  /// A record of texts, filled up with blank fields to the width of the file; a line of a txt is one text.
  private func fill(_ record: inout SampleRecord, _ role: SampleRecord.Role, _ fields: [String]) {
    record.begin(role)
    for field in fields { record.append(field.utf8) }
    while format != .txt, record.count < file.columns.count { record.append([]) }
  }

  private func fill(
    _ record: inout SampleRecord, _ number: Int, _ frame: inout Frame, part: Int, isFirstOfBlock: Bool
  ) {
    record.begin(.row(number), part: part)
    for run in runs[part] {
      if run.isBlank || run.condition.map({ $0.value(&frame) == 0 }) ?? false {
        record.appendBlanks(run.columns.count)
      } else {
        for index in run.columns { fill(&record, &frame, part: part, index, isFirstOfBlock) }
      }
    }
  }

  private func fill(
    _ record: inout SampleRecord, _ frame: inout Frame, part: Int, _ index: Int, _ isFirstOfBlock: Bool
  ) {
    switch fields[part][index] {
    case .formula(let formula, let style):
      if case .firstOfBlock = style, !isFirstOfBlock { return record.appendBlanks(1) }
      let value = formula.value(&frame)
      record.append { append(value, formula.kind, style, to: &$0) }
    case .template(_, let formulas):
      record.append { bytes in
        bytes += between[part][index][0]
        for (number, formula) in formulas.enumerated() {
          append(formula.value(&frame), formula.kind, .whole, to: &bytes)
          bytes += between[part][index][number + 1]
        }
      }
    case .byFormat, .blank, nil: record.appendBlanks(1)
    }
  }

  @inline(never)
  private func append(
    _ value: Int64, _ kind: ValueKind, _ style: SampleFile.Style, to bytes: inout [UInt8]
  ) {
    switch kind {
    case .number(let scale):
      // A cell of a sheet has a number, which has no zeros at its end.
      Self.append(value, scale, isShort: format == .xlsx || format == .csv && style.isShort, to: &bytes)
    case .flag: bytes.append(value == 0 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
    case .code(let table):
      let place = CodeRange.place(value)
      ranges[table]?[place.range].append(place.ordinal, to: &bytes)
    case .date(let order): CalendarDay.append(value, order, to: &bytes)
    case .text:
      let text = maker.pool.texts[Int(value)]
      bytes += format == .csv && style.isShort ? text.withoutLeadingZeros : text[...]
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

/// Columns that are side by side, of which either all may have something in them or none has.
private struct FieldRun {
  let columns: Range<Int>
  /// Whether nothing is ever in them.
  let isBlank: Bool
  /// When there is something in them; nil for always.
  let condition: Formula?

  static func runs(_ fields: [SampleFile.Field?], of columns: [SampleFile.Column]) -> [FieldRun] {
    func isBlank(_ index: Int) -> Bool {
      switch fields[index] {
      case .blank, nil: true
      default: false
      }
    }
    var runs: [FieldRun] = []
    var start = 0
    for index in fields.indices {
      let (next, blank) = (index + 1, isBlank(index))
      let isLast =
        next == fields.count || isBlank(next) != blank
        || !blank && columns[next].condition?.text != columns[index].condition?.text
      guard isLast else { continue }
      runs.append(
        FieldRun(columns: start..<next, isBlank: blank, condition: columns[index].condition?.holds))
      start = next
    }
    return runs
  }
}

extension SampleFile.Style {
  fileprivate var isShort: Bool {
    if case .short = self { true } else { false }
  }
}

extension Collection<UInt8> {
  /// The bytes without the zeros before the last digit that they begin with.
  var withoutLeadingZeros: SubSequence {
    var rest = self[...]
    while rest.count > 1, rest.first == UInt8(ascii: "0") { rest.removeFirst() }
    return rest
  }
}
