/// Reads tree-shaped records from an XML document, one at a time, in memory that does not grow with the
/// document.
struct XMLTreeReader: ~Copyable {
  private let stream: KeepingStream
  private let events: XMLTreeEvents
  private let parser: XMLPushParser
  private let groups: Int
  private let limit: Int
  private let source: SourceEntry
  private var index = -1
  /// The beginning of a record that is too long.
  private var head: [UInt8] = []
  private var isOverflowing = false
  private var number = 0

  /// `source`: what errors call the document.
  init(_ document: any ByteStream, format: TreeFormat, of source: SourceEntry) throws(RecordsError) {
    stream = KeepingStream(document)
    self.source = source
    events = XMLTreeEvents(format)
    groups = format.plan.groupWidths.count
    limit = format.recordLimit
    parser = try XMLPushParser(stream, events: events, place: source) {
      .brokenXML(path: source.path, entry: source.entry, reason: $0)
    }
    events.tagStart = { [stream] in stream.tagStart(at: $0) }
    events.tagNameEnd = { [stream] in stream.tagNameEnd(at: $0) }
    events.tagEnd = { [stream] in stream.tagEnd(at: $0) }
  }

  /// Goes on to the next record; false after the last.
  mutating func next() throws(RecordsError) -> Bool {
    index += 1
    while index >= events.records.count {
      events.letGo()
      index = 0
      stream.letGo(before: isOverflowing ? parser.offset : events.openedAt ?? parser.offset)
      guard try parser.step() else { return false }
      if stream.isUTF16 {
        throw .brokenXML(
          path: source.path, entry: source.entry,
          reason: "it is in UTF-16: convert it to UTF-8, as 'iconv -f UTF-16 -t UTF-8' does")
      }
      if isOverflowing {
        // What was the document's beginning may have turned out to be before the first record.
        isOverflowing = events.records.isEmpty && events.isTooLong
      } else if events.records.isEmpty, let start = events.openedAt, isTooMuch(from: start) {
        head = stream.bytes(from: start, to: start + limit)
        isOverflowing = true
        events.cutOffRecord()
      }
    }
    number += 1
    return true
  }

  /// Whether a record that is not whole has more bytes than it may have, those of a tag that is not whole
  /// aside.
  private func isTooMuch(from start: Int) -> Bool {
    events.isWithinRecord && parser.offset - start > limit || stream.count - start > 2 * limit + (1 << 20)
  }

  private var record: XMLTreeEvents.Record? {
    events.records.indices.contains(index) ? events.records[index] : nil
  }

  /// The number of the record, from 1, and where it begins, in bytes from the start of the document.
  var place: RecordPlace { RecordPlace(line: number, byteOffset: record?.range.lowerBound ?? 0) }

  var malformation: Malformation? { record?.malformation }

  /// The bytes of the record as they are in the document.
  var raw: [UInt8] {
    guard let record else { return [] }
    let start = record.range.lowerBound
    guard start >= stream.base else { return head }
    return stream.bytes(from: start, to: min(record.range.upperBound, start + limit))
  }

  /// Lends the texts of the record, and where in them its fields are.
  func withRecord<Result, Failure: Error>(
    _ body: (_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let record else { return try body(Span(), Span()) }
    let (texts, fields) = (events.texts, events.fields)
    return try body(texts.span.extracting(record.texts), fields.span.extracting(record.fields))
  }

  /// The names that the records had so far.
  var seen: SeenNames { events.seen }

  /// Counts what the record holds that no field has.
  func countUnread() { if let record { events.countUnread(of: record) } }

  /// What the records that were counted hold and no field has.
  var unread: UnreadElements { events.elements }

  /// The number of rows of a group.
  func rowCount(_ group: Int) -> Int { record.map { events.rows[$0.firstRow + group] } ?? 0 }
}

/// Passes another stream's bytes through, and keeps those that may be asked for again.
private final class KeepingStream: ByteStream {
  private let source: any ByteStream
  private var kept: [UInt8] = []
  /// The bytes of the stream before those that are kept.
  private(set) var base = 0

  init(_ source: any ByteStream) { self.source = source }

  /// The parser counts its places in bytes of UTF-8, so that those of such a stream could not be found again.
  private(set) var isUTF16 = false

  /// How many bytes have passed.
  var count: Int { base + kept.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    let count = try source.read(into: buffer)
    if base == 0, kept.isEmpty, count >= 2 {
      isUTF16 = buffer[0] >= 0xFE && buffer[1] >= 0xFE || buffer[0] == 0 || buffer[1] == 0
    }
    kept.append(contentsOf: buffer[..<count])
    return count
  }

  /// Forgets the bytes before a place.
  func letGo(before place: Int) {
    let count = min(max(0, place - base), kept.count)
    kept.removeSubrange(..<count)
    base += count
  }

  /// The kept bytes between two places.
  func bytes(from: Int, to: Int) -> [UInt8] {
    let lower = min(max(0, from - base), kept.count)
    return Array(kept[lower..<min(max(lower, to - base), kept.count)])
  }

  /// Where the tag begins that a place lies in: no tag has the letter in it that it begins with.
  func tagStart(at place: Int) -> Int {
    var index = min(place - base, kept.count) - 1
    while index > 0, kept[index] != UInt8(ascii: "<") { index -= 1 }
    return base + max(0, index)
  }

  /// Where the name of the tag ends that a place lies in.
  func tagNameEnd(at place: Int) -> Int {
    var index = tagStart(at: place) - base + 1
    while index < kept.count, kept[index] > 0x20, !Self.endsName.contains(kept[index]) { index += 1 }
    return base + index
  }

  /// What follows the tag that a place behind its attributes lies in.
  func tagEnd(at place: Int) -> Int {
    var index = max(0, place - 1 - base)
    while index < kept.count, kept[index] != UInt8(ascii: ">") { index += 1 }
    return base + min(index + 1, kept.count)
  }

  private static let endsName = [UInt8(ascii: "/"), UInt8(ascii: ">")]
}
