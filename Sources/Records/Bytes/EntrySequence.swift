/// Opens entries one after the other. Those of one archive, in its order, are reached in one pass over it, where
/// each by itself would be sought from the archive's start.
///
/// A stream that it gives may be read until the next entry is opened.
public final class EntrySequence {
  private var archive: Archive?
  private var file = ""
  /// How many entries of the archive were passed.
  private var passed = 0

  /// Nothing is open yet.
  public init() {}

  /// Opens an entry; what is read before it of an archive is read by so many bytes.
  /// - Throws: what ``SourceEntry/open()`` throws.
  func open(_ entry: SourceEntry, blockSize: Int) throws(RecordsError) -> any ByteStream {
    guard let file = entry.archiveFile else { return try entry.open(blockSize: blockSize) }
    let open: Archive
    if let archive, file == self.file, entry.index >= passed {
      open = archive
    } else {
      (archive, passed) = (nil, 0)
      open = try entry.openArchive(blockSize: blockSize)
    }
    archive = nil
    try open.seek(entry, passed: passed)
    (archive, self.file, passed) = (open, file, entry.index + 1)
    return open
  }
}
