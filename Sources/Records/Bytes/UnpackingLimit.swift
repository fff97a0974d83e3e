/// How much may come out of an archive or a compressed file, and how many files of a folder.
///
/// A file of some kilobytes can be made so that it unpacks to more than any disk has, or holds more entries
/// than memory has room for. What a table or a directory of providers needs is far from these limits: deflated
/// it has a tenth of its size.
enum UnpackingLimit {
  /// The most files of an archive or a folder: each is kept in memory.
  static let entries = 100_000
  /// So many bytes may come out of anything.
  static let bytesOfAny = 64 << 20
  /// Beyond that, so many for each byte that is read.
  static let ratio = 200

  /// The most bytes of what was unpacked before that unpacking goes back to: a dictionary is kept in memory,
  /// as far as it has come. Of what is an entry itself it is less: what unpacks the archive has its own.
  static func dictionary(of place: SourceEntry) -> Int { place.container == .none ? 48 << 20 : 8 << 20 }

  /// The most bytes that may come out of so many.
  static func bytes(of packed: Int) -> Int {
    let (product, overflows) = packed.multipliedReportingOverflow(by: ratio)
    // Two of them can be added up.
    return min(.max / 4, overflows ? .max : max(bytesOfAny, product))
  }

  /// Why a file or an entry is not read on that unpacks to more than it may.
  static func excess(of place: SourceEntry, entry: String? = nil, limit: Int) -> RecordsError {
    let times = limit > bytesOfAny ? ", \(ratio) times its size" : ""
    return .tooMuch(
      path: place.path, entry: entry ?? place.entry,
      found: "unpacks to more than \(limit >> 20) MiB\(times), as no table does")
  }

  /// Why a file or an entry is not read on that takes more memory to unpack than there is for one.
  ///
  /// `bytes`: of the dictionary; `Int.max` where nothing says how many.
  static func excess(of place: SourceEntry, entry: String?, dictionary bytes: Int) -> RecordsError {
    let most = "\(dictionary(of: place) >> 20) MiB"
    return .tooMuch(
      path: place.path, entry: entry,
      found: bytes == .max
        ? "is compressed in a way that may take more than \(most) of memory"
        : "needs a dictionary of \(bytes >> 20) MiB to be unpacked, where \(most) is the most")
  }

  /// Why an archive or a folder is not read that holds more files than are kept in mind.
  static func excess(of path: String, entry: String?) -> RecordsError {
    .tooMuch(path: path, entry: entry, found: "holds more than \(entries) files")
  }
}

/// Another stream's bytes, of which there may be only so many: what is compressed can grow as it pleases.
final class LimitedStream: ByteStream {
  private let source: any ByteStream
  private let limit: Int
  private let excess: RecordsError
  private var count = 0

  /// A stream of at most `limit` bytes.
  ///
  /// `excess`: what reading throws where there are more.
  init(_ source: any ByteStream, limit: Int, excess: RecordsError) {
    self.source = source
    self.limit = limit
    self.excess = excess
  }

  /// - Throws: `excess`, and what the other stream throws.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let read = try source.read(into: buffer)
    count += read
    guard count <= limit else { throw excess }
    return read
  }
}
