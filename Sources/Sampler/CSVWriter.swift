/// Writes a sample's file as comma-separated values with CRLF line ends.
struct CSVWriter {
  private let file: SampleFile
  private let maker: RowMaker
  private let texts: [String: String]
  private let ranges: [String: [CodeRange]]
  private var buffer: [UInt8] = []
  private let put: ([UInt8]) throws(SampleError) -> Void

  /// How many bytes are gathered before they are handed on.
  private static let pieceSize = 128 << 10

  init(
    _ file: SampleFile, maker: RowMaker, texts: [String: String],
    put: @escaping ([UInt8]) throws(SampleError) -> Void
  ) {
    self.file = file
    self.maker = maker
    self.texts = texts
    self.put = put
    var ranges: [String: [CodeRange]] = [:]
    for table in maker.tables {
      if case .codes(let plan) = table.origin { ranges[table.name] = plan.ranges }
    }
    self.ranges = ranges
    buffer.reserveCapacity(Self.pieceSize + 4096)
  }

  /// Writes the whole file.
  mutating func write() throws(SampleError) {
    for record in file.before { append(record.map { $0.filled(texts) }) }
    for record in file.header(texts) { append(record) }
    for record in file.between { append(record.map { $0.filled(texts) }) }
    // The closure of the rows cannot hold a mutating self.
    var writer = self
    var last: Int64?
    try maker.forEach(of: file.table) { (frame) throws(SampleError) in
      let block = writer.file.block?.value(&frame)
      let isFirst = last == nil || block != last
      if isFirst, last != nil { writer.append([]) }
      last = block ?? last
      writer.append(&frame, isFirstOfBlock: isFirst)
      if writer.buffer.count >= Self.pieceSize { try writer.flush() }
    }
    for record in file.after { writer.append(record.map { $0.filled(writer.texts) }) }
    try writer.flush()
    self = writer
  }

  private mutating func flush() throws(SampleError) {
    try put(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// A record of texts, filled up with blank fields to the width of the file.
  private mutating func append(_ fields: [String]) {
    for index in 0..<max(fields.count, file.columns.count) {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      if index < fields.count { append(field: Array(fields[index].utf8)) }
    }
    endRecord()
  }

  private mutating func append(_ frame: inout Frame, isFirstOfBlock: Bool) {
    for (index, column) in file.columns.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      switch column.field {
      case .formula(let formula, let style):
        if case .firstOfBlock = style, !isFirstOfBlock { continue }
        append(formula.value(&frame), formula.kind, style)
      case .template(let texts, let formulas):
        // A template may make a comma or a quote: it is written aside and then quoted where needed.
        let start = buffer.count
        buffer += texts[0].utf8
        for (index, formula) in formulas.enumerated() {
          appendBare(formula.value(&frame), formula.kind, .whole)
          buffer += texts[index + 1].utf8
        }
        quote(from: start)
      }
    }
    endRecord()
  }

  private mutating func endRecord() {
    buffer.append(UInt8(ascii: "\r"))
    buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ value: Int64, _ kind: ValueKind, _ style: SampleFile.Style) {
    let start = buffer.count
    appendBare(value, kind, style)
    if kind == .text { quote(from: start) }
  }

  private mutating func appendBare(_ value: Int64, _ kind: ValueKind, _ style: SampleFile.Style) {
    switch kind {
    case .number(let scale): appendNumber(value, scale, isShort: style.isShort)
    case .flag: buffer.append(value == 0 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
    case .code(let table):
      let place = CodeRange.place(value)
      ranges[table]?[place.range].append(place.ordinal, to: &buffer)
    case .text:
      var text = maker.pool.texts[Int(value)][...]
      if style.isShort {
        while text.count > 1, text.first == UInt8(ascii: "0") { text.removeFirst() }
      }
      buffer += text
    }
  }

  private mutating func appendNumber(_ value: Int64, _ scale: Int, isShort: Bool) {
    if value < 0 { buffer.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var scale = scale
    while isShort, scale > 0, rest % 10 == 0 {
      rest /= 10
      scale -= 1
    }
    let start = buffer.count
    var place = 0
    repeat {
      if place == scale, scale > 0 { buffer.append(UInt8(ascii: ".")) }
      buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      place += 1
    } while rest > 0 || place <= scale
    buffer[start...].reverse()
  }

  private mutating func append(field: [UInt8]) {
    let start = buffer.count
    buffer += field
    quote(from: start)
  }

  /// Puts quotes around the bytes from a place on, where a comma, a quote or a line end asks for them.
  private mutating func quote(from start: Int) {
    let field = buffer[start...]
    guard field.contains(where: { [0x2C, 0x22, 0x0D, 0x0A].contains($0) }) else { return }
    var quoted: [UInt8] = [0x22]
    for byte in field {
      if byte == 0x22 { quoted.append(byte) }
      quoted.append(byte)
    }
    quoted.append(0x22)
    buffer.replaceSubrange(start..., with: quoted)
  }
}

extension SampleFile.Style {
  fileprivate var isShort: Bool {
    if case .short = self { true } else { false }
  }
}
