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
  /// - Throws: ``RecordsError``, what the stream throws.
  public func read(into array: inout [UInt8], from start: Int) throws(RecordsError) -> Int {
    try array.withUnsafeMutableBufferPointer { (elements) throws(RecordsError) in
      try read(
        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(elements)[start...]))
    }
  }

  /// Reads on until so many bytes are in a buffer that has some, or the stream is at its end.
  /// - Returns: how many there are then.
  /// - Throws: what the stream throws.
  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from start: Int = 0, to end: Int
  ) throws(RecordsError) -> Int {
    var count = start
    while count < end {
      let more = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// Reads the next bytes, as many as there are of a number.
  /// - Throws: ``RecordsError``, what the stream throws.
  public func head(_ count: Int) throws(RecordsError) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: count)
    let found = try head.withUnsafeMutableBufferPointer { (elements) throws(RecordsError) in
      try fill(UnsafeMutableRawBufferPointer(elements), to: count)
    }
    return Array(head[..<found])
  }

  /// Reads to the end and forgets what is read, so that a digest or a checksum covers everything.
  /// - Throws: ``RecordsError``, what the stream throws.
  public func drain() throws(RecordsError) {
    var buffer = [UInt8](repeating: 0, count: 128 << 10)
    while try read(into: &buffer, from: 0) > 0 {}
  }
}
