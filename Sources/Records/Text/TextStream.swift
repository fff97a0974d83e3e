import Values

/// A file's text on its way to its reader: in which encoding it is, decided once for the file, and which
/// bytes that encoding does not define.
///
/// A byte order mark decides, for UTF-8 or UTF-16. Else the first piece that has bytes above 0x7F does: it is
/// UTF-8 if at least as many sequences in it are whole as are not, and an eight-bit encoding if not. That is
/// called Latin-1 as long as nothing distinguishes it from Windows-1252, of which it is a part but for
/// controls that no text has.
///
/// UTF-16 comes out as UTF-8; everything else as it is, so that the fields of most files need no second look.
final class TextStream: ByteStream {
  private enum Watch {
    /// Nothing has been read.
    case start
    /// Nothing but ASCII has been read.
    case undecided
    case ascii, utf8, eightBit, wide
    /// Every byte is defined.
    case nothing
  }

  /// The encoding as far as it is known; ASCII where nothing else has been read.
  ///
  /// It is known for all that has been read, which is ahead of the records that have been given.
  private(set) var encoding: TextEncoding
  /// How many bytes of the source come before the first that is given: UTF-16's byte order mark.
  private(set) var leading = 0

  private let source: any ByteStream
  private let given: TextEncoding?
  private var watch = Watch.start
  /// How many bytes have been given.
  private var count = 0
  private var utf8 = UTF8Watch()
  /// The places of undecodable bytes among those given, in their order, from `firstFault` on.
  private var faults: [Int] = []
  private var firstFault = 0

  private var decoder = UTF16Decoder(isBigEndian: false)
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var outputStart = 0

  /// The text of a source.
  ///
  /// `encoding`: what it is in, if that is known; a byte order mark knows better.
  init(_ source: any ByteStream, encoding: TextEncoding?) {
    self.source = source
    given = encoding
    self.encoding = encoding ?? .ascii
  }

  /// Whether the bytes given are not the source's own.
  var isWide: Bool { encoding == .utf16LE || encoding == .utf16BE }

  /// The place of the first undecodable byte in a range of the bytes given; ranges must be asked for in their
  /// order.
  @inline(__always)
  func fault(in range: Range<Int>) -> Int? {
    faults.isEmpty ? nil : seek(range)
  }

  private func seek(_ range: Range<Int>) -> Int? {
    while firstFault < faults.count, faults[firstFault] < range.lowerBound { firstFault += 1 }
    guard firstFault < faults.count else {
      faults.removeAll(keepingCapacity: true)
      firstFault = 0
      return nil
    }
    return faults[firstFault] < range.upperBound ? faults[firstFault] : nil
  }

  /// Reads the next bytes into the start of a buffer, of at least four bytes the first time; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    if case .wide = watch { return try readWide(into: buffer) }
    var read = try source.read(into: buffer)
    if case .start = watch {
      // As many as a byte order mark has.
      read = try source.fill(buffer, from: read, to: 3)
      begin(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
      if case .wide = watch { return try readWide(into: buffer) }
    }
    if case .undecided = watch,
      let place = ASCIISearch.firstBeyond(UnsafeRawBufferPointer(buffer), from: 0, to: read)
    {
      // More bytes decide better.
      read = try source.fill(buffer, from: read, to: buffer.count)
      decide(UnsafeRawBufferPointer(rebasing: buffer[place..<read]))
    }
    inspect(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    count += read
    return read
  }
}

extension TextStream {
  /// Looks for a byte order mark.
  private func begin(_ head: UnsafeRawBufferPointer) {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      (encoding, watch) = (.utf8, .utf8)
    } else if head.starts(with: [0xFF, 0xFE]) {
      beginWide(.utf16LE, head, mark: 2)
    } else if head.starts(with: [0xFE, 0xFF]) {
      beginWide(.utf16BE, head, mark: 2)
    } else {
      switch given {
      case nil: watch = .undecided
      case .ascii: watch = .ascii
      case .utf8: watch = .utf8
      case .windows1252: watch = .eightBit
      case .latin1: watch = .nothing
      case .utf16LE: beginWide(.utf16LE, head, mark: 0)
      case .utf16BE: beginWide(.utf16BE, head, mark: 0)
      }
    }
  }

  private func beginWide(_ encoding: TextEncoding, _ head: UnsafeRawBufferPointer, mark: Int) {
    (self.encoding, watch, leading) = (encoding, .wide, mark)
    decoder = UTF16Decoder(isBigEndian: encoding == .utf16BE)
    decode(Array(head.dropFirst(mark))[...])
    input = [UInt8](repeating: 0, count: 64 << 10)
  }

  private func decode(_ bytes: ArraySlice<UInt8>) {
    decoder.decode(bytes, into: &output) { faults.append(count + $0) }
  }

  private func readWide(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    while outputStart == output.count {
      output.removeAll(keepingCapacity: true)
      outputStart = 0
      let read = try source.read(into: &input, from: 0)
      decode(input[..<read])
      if read == 0 {
        decoder.finish(into: &output) { faults.append(count + $0) }
        if output.isEmpty { return 0 }
      }
    }
    let size = min(buffer.count, output.count - outputStart)
    buffer.copyBytes(from: output[outputStart..<(outputStart + size)])
    outputStart += size
    count += size
    return size
  }

  /// Decides the encoding by bytes of which the first is above 0x7F.
  private func decide(_ bytes: UnsafeRawBufferPointer) {
    var trial = UTF8Watch()
    for (place, byte) in bytes.enumerated() { _ = trial.take(byte, at: place) }
    // A sequence that the buffer's end cuts off says little, but something where there is nothing else.
    let whole = trial.whole == 0 && trial.missing > 0 ? 1 : trial.whole
    (encoding, watch) = whole > 0 && whole >= trial.broken ? (.utf8, .utf8) : (.latin1, .eightBit)
  }

  /// Reports what the encoding does not define.
  private func inspect(_ bytes: UnsafeRawBufferPointer) {
    switch watch {
    case .start, .undecided, .wide, .nothing: break
    case .utf8: inspectUTF8(bytes)
    case .eightBit, .ascii: inspectSingly(bytes)
    }
  }

  private func inspectUTF8(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty, let fault = utf8.endSequence() { faults.append(fault) }
    var place = 0
    while place < bytes.count {
      if utf8.missing == 0 {
        guard let found = ASCIISearch.firstBeyond(bytes, from: place, to: bytes.count) else { return }
        place = found
      }
      if let fault = utf8.take(bytes[place], at: count + place) { faults.append(fault) }
      place += 1
    }
  }

  /// Looks at each byte that is not ASCII, in an encoding in which each is a character of its own, or none.
  private func inspectSingly(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while let found = ASCIISearch.firstBeyond(bytes, from: place, to: bytes.count) {
      if watch == .ascii {
        faults.append(count + found)
      } else if bytes[found] < 0xA0 {
        encoding = .windows1252
        if Windows1252.isUndefined(bytes[found]) { faults.append(count + found) }
      }
      place = found + 1
    }
  }
}
