/// The bytes of one entry of an archive, unpacked as they are read.
final class ArchiveEntryStream: ByteStream {
  private let source: SourceEntry
  private let archive: Archive
  private let size: Int?
  private var count = 0

  /// The bytes of an entry of an archive that is at its start.
  init(_ source: SourceEntry, of archive: Archive) throws(RecordsError) {
    var header: Archive.Header?
    for _ in 0...source.index {
      header = try archive.next()
    }
    guard let header, header.name == source.member else {
      throw .entryGone(path: source.path, entry: source.entry ?? source.name)
    }
    guard !header.isEncrypted else {
      throw .encrypted(path: source.path, entry: source.entry)
    }
    self.source = source
    self.archive = archive
    size = header.size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let read = try archive.read(into: buffer)
    count += read
    if read == 0, let size, count != size {
      throw .brokenArchive(
        path: source.path, entry: source.entry,
        reason: "the entry has \(count) bytes where the archive's directory says \(size)")
    }
    return read
  }
}
