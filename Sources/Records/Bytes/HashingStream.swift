import Values

/// Passes another stream's bytes through and keeps their number and SHA-256.
public final class HashingStream: ByteStream {
  private let source: any ByteStream
  private var hash = SHA256()

  /// The bytes that have passed so far.
  public private(set) var byteCount = 0

  /// A stream of the same bytes as `source`.
  public init(_ source: any ByteStream) {
    self.source = source
  }

  /// The SHA-256 of the bytes that have passed so far, as 64 lower-case hexadecimal digits.
  public var sha256: String { hash.hexadecimal() }

  /// Reads the next bytes into the start of a buffer; 0 at the end.
  /// - Throws: ``RecordsError``, what the source throws.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = try source.read(into: buffer)
    hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    byteCount += count
    return count
  }
}
