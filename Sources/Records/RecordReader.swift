/// Reads records of any format from a stream, one at a time, for those who need not know the format.
///
/// What is said of ``DelimitedReader`` and ``FixedWidthReader`` holds here.
public struct RecordReader: RecordSource, ~Copyable {
  // One of the two is there. An enum of readers could not be changed in place.
  @usableFromInline var delimited: DelimitedReader?
  @usableFromInline var fixedWidth: FixedWidthReader?

  /// A reader at the start of a stream.
  /// - Parameter bufferSize: the bytes read at a time; the buffer grows as long as a record needs.
  public init(_ stream: any ByteStream, format: RecordFormat, bufferSize: Int = 256 << 10) {
    switch format {
    case .delimited(let format):
      delimited = DelimitedReader(stream, format: format, bufferSize: bufferSize)
      fixedWidth = nil
    case .fixedWidth(let format):
      delimited = nil
      fixedWidth = FixedWidthReader(stream, format: format, bufferSize: bufferSize)
    }
  }

  /// Goes on to the next record; false after the last, when the whole stream has been read.
  /// - Throws: what the stream throws, and `unsupportedEncoding` for UTF-16.
  @inlinable public mutating func next() throws(RecordsError) -> Bool {
    if let more = try delimited?.next() { return more }
    return try fixedWidth?.next() ?? false
  }

  /// Lends the record: its bytes, and where in them its fields are.
  @inlinable public func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch delimited {
    case .some(let reader): return try reader.withRecord(body)
    case .none: break
    }
    switch fixedWidth {
    case .some(let reader): return try reader.withRecord(body)
    case .none: return try body(Span(), Span())
    }
  }

  /// Where the record begins.
  @inlinable public var place: RecordPlace {
    switch delimited {
    case .some(let reader): return reader.place
    case .none: break
    }
    switch fixedWidth {
    case .some(let reader): return reader.place
    case .none: return RecordPlace(line: 1, byteOffset: 0)
    }
  }

  /// Why the record's fields are not to be trusted; nil for a good record.
  @inlinable public var malformation: Malformation? {
    switch delimited {
    case .some(let reader): return reader.malformation
    case .none: break
    }
    switch fixedWidth {
    case .some(let reader): return reader.malformation
    case .none: return nil
    }
  }

  /// The record's bytes as they are in the source, without the line end.
  @inlinable public var raw: [UInt8] {
    switch delimited {
    case .some(let reader): return reader.raw
    case .none: break
    }
    switch fixedWidth {
    case .some(let reader): return reader.raw
    case .none: return []
    }
  }

  /// Whether the record holds nothing but blanks.
  ///
  /// False for a malformed record.
  @inlinable public var isBlank: Bool {
    switch delimited {
    case .some(let reader): return reader.isBlank
    case .none: break
    }
    switch fixedWidth {
    case .some(let reader): return reader.isBlank
    case .none: return true
    }
  }
}
