/// Another stream's bytes, compressed by xz, zstd or bzip2, passed through while their frames are followed for
/// the dictionaries that unpacking them needs: of those each frame may have its own.
final class DictionaryWatch: ByteStream {
  /// The most bytes of a dictionary that were asked for up to here; `Int.max` where the frames are in no form
  /// that is known.
  private(set) var largest = 0
  private let source: any ByteStream
  private var frames: (any CompressedFrames)?
  private var hasBegun = false
  /// So many bytes of the next header are to come, and those that have.
  private var needed = 0
  private var held: [UInt8] = []
  /// So many bytes of data come before it.
  private var skipped = 0

  init(_ source: any ByteStream) { self.source = source }

  /// - Throws: what the other stream throws.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = try source.read(into: buffer)
    if count > 0 { follow(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    return count
  }

  private func follow(_ bytes: UnsafeRawBufferPointer) {
    if !hasBegun { begin(bytes[0]) }
    var place = 0
    while frames != nil, place < bytes.count {
      if skipped > 0 {
        let passed = min(skipped, bytes.count - place)
        (place, skipped) = (place + passed, skipped - passed)
        continue
      }
      let taken = min(needed - held.count, bytes.count - place)
      held.append(contentsOf: bytes[place..<(place + taken)])
      place += taken
      if held.count == needed { step() }
    }
  }

  private func begin(_ first: UInt8) {
    hasBegun = true
    switch first {
    case 0xFD: (frames, needed) = (XZFrames(), XZFrames.firstCount)
    case 0x28: (frames, needed) = (ZstdFrames(), ZstdFrames.firstCount)
    // What bzip2 needs is the same for all.
    default: break
    }
  }

  private func step() {
    let next = frames?.read(held)
    held.removeAll(keepingCapacity: true)
    guard let next else {
      (frames, largest) = (nil, .max)
      return
    }
    largest = max(largest, frames?.dictionary ?? 0)
    (skipped, needed) = next
  }
}

/// The frames of a compressed stream, header by header.
protocol CompressedFrames {
  /// The bytes of the first header.
  static var firstCount: Int { get }
  /// The most bytes that a dictionary has that was asked for.
  var dictionary: Int { get }
  /// Reads the next header.
  /// - Returns: how many bytes of data are behind it, and how many, at least one, the next header has; nil
  ///   where it is none.
  mutating func read(_ header: [UInt8]) -> (skipped: Int, needed: Int)?
}
