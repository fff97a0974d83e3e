/// Bytes that are read once, from the first to the last.
public protocol ByteStream: AnyObject {
  /// Reads the next bytes into the start of a buffer.
  /// - Parameter buffer: where the bytes go; not empty.
  /// - Returns: how many bytes were read; 0 only at the end, and ever after.
  /// - Throws: whatever keeps the stream from its true end: a stream never ends early without an error.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int
}

extension ByteStream {
  /// Reads the next bytes into an array, over what is in it from a place on.
  /// - Parameters:
  ///   - array: where the bytes go.
  ///   - start: the first place to write to; before the array's end.
  /// - Returns: how many bytes were read; 0 only at the end.
  /// - Throws: what the stream throws.
  public func read(into array: inout [UInt8], from start: Int) throws(RecordsError) -> Int {
    try array.withUnsafeMutableBufferPointer { (elements) throws(RecordsError) in
      try read(
        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(elements)[start...]))
    }
  }

  /// Reads to the end and forgets what is read, so that a digest or a checksum covers everything.
  /// - Throws: ``RecordsError`` of the source.
  public func drain() throws(RecordsError) {
    var buffer = [UInt8](repeating: 0, count: 128 << 10)
    while try read(into: &buffer, from: 0) > 0 {}
  }
}
