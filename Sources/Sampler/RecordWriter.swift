/// Writes the records of one file in one format.
protocol RecordWriter: AnyObject {
  /// Writes the next record.
  func write(_ record: SampleRecord) throws(SampleError)
  /// Writes what follows the last record.
  func finish() throws(SampleError)
}

/// The bytes of a text file on their way: lines with their ends, in an encoding.
struct LineOutput {
  private var buffer: [UInt8] = []
  private var lines = 0
  private let ends: LineEnds
  private let encoding: TextEncoding
  private let hasFinalEnd: Bool
  private let put: ([UInt8]) throws(SampleError) -> Void

  /// How many bytes are gathered before they are handed on.
  private static let pieceSize = 128 << 10

  init(_ quirks: Set<GeneralQuirk>, put: @escaping ([UInt8]) throws(SampleError) -> Void) {
    ends = LineEnds(quirks)
    encoding = TextEncoding(quirks)
    hasFinalEnd = !quirks.contains(.noFinalNewline)
    self.put = put
    buffer.reserveCapacity(Self.pieceSize + 4096)
  }

  /// Lets a closure write a line behind the others.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws(SampleError) {
    if lines > 0 { buffer += ends.end(of: lines - 1) }
    lines += 1
    write(&buffer)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Writes the end of the last line, and bytes that follow it.
  mutating func finish(_ bytes: [UInt8] = []) throws(SampleError) {
    if lines > 0, hasFinalEnd { buffer += ends.last(lines - 1) }
    buffer += bytes
    try flush()
  }

  private var isBegun = false

  private mutating func flush() throws(SampleError) {
    var bytes = isBegun ? [] : encoding.mark
    isBegun = true
    encoding.append(buffer, to: &bytes)
    if !bytes.isEmpty { try put(bytes) }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// How the lines of a text file end.
enum LineEnds {
  case crlf
  case lf
  case bareCR
  case mixed

  init(_ quirks: Set<GeneralQuirk>) {
    self =
      quirks.contains(.lf)
      ? .lf : quirks.contains(.bareCR) ? .bareCR : quirks.contains(.mixedLineEnds) ? .mixed : .crlf
  }

  /// The end of a line that another one follows.
  func end(of line: Int) -> [UInt8] {
    switch self {
    case .crlf: [0x0D, 0x0A]
    case .lf: [0x0A]
    case .bareCR: [0x0D]
    case .mixed: [[0x0D, 0x0A], [0x0A], [0x0D]][line % 3]
    }
  }

  /// The end of the last line.
  func last(_ line: Int) -> [UInt8] {
    // Where bare CR end all lines, the publisher's file has one CRLF.
    if case .bareCR = self { [0x0D, 0x0A] } else { end(of: line) }
  }
}

/// How characters become the bytes of a text file.
enum TextEncoding {
  case utf8(hasMark: Bool)
  case latin1
  case cp1252
  case utf16(isBigEndian: Bool)

  init(_ quirks: Set<GeneralQuirk>) {
    if quirks.contains(.cp1252) {
      self = .cp1252
    } else if quirks.contains(.latin1) {
      self = .latin1
    } else if quirks.contains(.utf16le) || quirks.contains(.utf16be) {
      self = .utf16(isBigEndian: quirks.contains(.utf16be))
    } else {
      self = .utf8(hasMark: quirks.contains(.bom))
    }
  }

  /// The byte order mark that a file begins with.
  var mark: [UInt8] {
    switch self {
    case .utf8(let hasMark): hasMark ? [0xEF, 0xBB, 0xBF] : []
    case .latin1, .cp1252: []
    case .utf16(let isBigEndian): isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    }
  }

  /// Encodes UTF-8; a byte that is none stays one that the encoding does not know.
  func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    if case .utf8 = self {
      bytes += text
      return
    }
    var decoder = UTF8()
    var rest = text.makeIterator()
    // Where a character is none, the decoder is behind its first wrong byte.
    decoding: while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): append(scalar, to: &bytes)
      case .error: appendUnknown(to: &bytes)
      case .emptyInput: break decoding
      }
    }
  }

  private func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch self {
    case .utf8: bytes += UTF8.encode(scalar).map(Array.init) ?? []
    case .latin1: bytes.append(UInt8(exactly: scalar.value) ?? UInt8(ascii: "?"))
    case .cp1252:
      bytes.append(scalar == "\u{2019}" ? 0x92 : UInt8(exactly: scalar.value) ?? UInt8(ascii: "?"))
    case .utf16(let isBigEndian):
      for unit in UTF16.encode(scalar).map(Array.init) ?? [] { append(unit, isBigEndian, to: &bytes) }
    }
  }

  private func appendUnknown(to bytes: inout [UInt8]) {
    if case .utf16(let isBigEndian) = self {
      // Half of a pair.
      append(0xD800, isBigEndian, to: &bytes)
    } else {
      bytes.append(GeneralQuirk.undecodableByte)
    }
  }

  private func append(_ unit: UInt16, _ isBigEndian: Bool, to bytes: inout [UInt8]) {
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    bytes += isBigEndian ? [high, low] : [low, high]
  }
}
