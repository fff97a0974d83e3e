import Values

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
  private let quirks: Set<GeneralQuirk>
  private let encoding: TextEncoding
  private let put: ([UInt8]) throws(SampleError) -> Void

  /// How many bytes are gathered before they are handed on.
  private static let pieceSize = 128 << 10

  init(_ quirks: Set<GeneralQuirk>, put: @escaping ([UInt8]) throws(SampleError) -> Void) {
    self.quirks = quirks
    encoding = TextEncoding(quirks)
    self.put = put
    buffer.reserveCapacity(Self.pieceSize + 4096)
  }

  /// Lets a closure write a line behind the others, of which the last one gets something at its end.
  mutating func line(after end: String = "", _ write: (inout [UInt8]) -> Void) throws(SampleError) {
    if lines > 0 { buffer += Array(end.utf8) + self.end(of: lines - 1) }
    lines += 1
    write(&buffer)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Writes the end of the last line, and bytes that follow it.
  mutating func finish(_ bytes: [UInt8] = []) throws(SampleError) {
    // Where bare CR end all lines, the publisher's file has one CRLF.
    if lines > 0, !quirks.contains(.noFinalNewline) {
      buffer += quirks.contains(.bareCR) ? [0x0D, 0x0A] : end(of: lines - 1)
    }
    buffer += bytes
    try flush()
  }

  /// The end of a line that another one follows.
  private func end(of line: Int) -> [UInt8] {
    let ends: [[UInt8]] = [[0x0D, 0x0A], [0x0A], [0x0D]]
    if quirks.contains(.mixedLineEnds) { return ends[line % 3] }
    return ends[quirks.contains(.lf) ? 1 : quirks.contains(.bareCR) ? 2 : 0]
  }

  /// The byte order mark that the file begins with.
  private var mark: [UInt8] {
    switch encoding {
    case .utf16LE: [0xFF, 0xFE]
    case .utf16BE: [0xFE, 0xFF]
    case .utf8 where quirks.contains(.bom): [0xEF, 0xBB, 0xBF]
    default: []
    }
  }

  private var isBegun = false

  private mutating func flush() throws(SampleError) {
    var bytes = isBegun ? [] : mark
    isBegun = true
    encoding.append(buffer, to: &bytes)
    if !bytes.isEmpty { try put(bytes) }
    buffer.removeAll(keepingCapacity: true)
  }
}

extension TextEncoding {
  fileprivate init(_ quirks: Set<GeneralQuirk>) {
    let encodings: [GeneralQuirk: TextEncoding] = [
      .cp1252: .windows1252, .latin1: .latin1, .utf16le: .utf16LE, .utf16be: .utf16BE,
    ]
    self = quirks.compactMap { encodings[$0] }.first ?? .utf8
  }

  /// Encodes UTF-8; a byte that is none stays one that the encoding does not know.
  fileprivate func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    if self == .utf8 { return bytes += text }
    var decoder = UTF8()
    var rest = text.makeIterator()
    // Where a character is none, the decoder is behind its first wrong byte.
    decoding: while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): append(scalar, to: &bytes)
      // Half of a pair is what UTF-16 does not know.
      case .error:
        hasLongCharacters ? append(units: [0xD800], to: &bytes) : bytes.append(GeneralQuirk.undecodableByte)
      case .emptyInput: break decoding
      }
    }
  }

  private func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if hasLongCharacters { return append(units: UTF16.encode(scalar).map(Array.init) ?? [], to: &bytes) }
    let isApostrophe = self == .windows1252 && scalar == "\u{2019}"
    bytes.append(isApostrophe ? 0x92 : UInt8(exactly: scalar.value) ?? UInt8(ascii: "?"))
  }

  private func append(units: [UInt16], to bytes: inout [UInt8]) {
    for unit in units {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      bytes += self == .utf16BE ? [high, low] : [low, high]
    }
  }
}
