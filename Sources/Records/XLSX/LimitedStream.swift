/// Another stream's bytes, of which there may be only so many: what is kept in memory must not grow as a
/// compressed file pleases.
final class LimitedStream: ByteStream {
  private let source: any ByteStream
  private let limit: Int
  private let place: SourceEntry
  private var count = 0

  init(_ source: any ByteStream, limit: Int, place: SourceEntry) {
    self.source = source
    self.limit = limit
    self.place = place
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let read = try source.read(into: buffer)
    count += read
    guard count <= limit else {
      throw .brokenWorkbook(
        path: place.path, entry: place.entry, reason: "the part has more than \(limit >> 20) MiB")
    }
    return read
  }
}
