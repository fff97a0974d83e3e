/// What a file compressed by bzip2, xz or zstd holds.
final class DecompressedStream: ByteStream {
  private let archive: Archive
  private let isEmpty: Bool

  init(path: String) throws(RecordsError) {
    archive = try Archive(decompressing: path)
    isEmpty = try archive.next() == nil
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    isEmpty ? 0 : try archive.read(into: buffer)
  }
}
