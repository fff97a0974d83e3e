/// What a stream compressed by bzip2, xz or zstd holds.
final class DecompressedStream: ByteStream {
  private let archive: Archive
  private let isEmpty: Bool

  /// `place`: what errors call the stream.
  init(_ source: any ByteStream, of place: SourceEntry) throws(RecordsError) {
    archive = try Archive(decompressing: source, of: place)
    isEmpty = try archive.next() == nil
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    isEmpty ? 0 : try archive.read(into: buffer)
  }
}
