import CLibXML2

/// Reads an XML document piece by piece by libxml2's push parser: no DTD, no entities but the five of XML, no
/// network.
final class XMLPushParser {
  private let stream: any ByteStream
  private let events: XMLEvents
  private let place: SourceEntry
  private let fault: (String) -> RecordsError
  private let parser: UnsafeMutablePointer<rivulet_xml>
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var isAtEnd = false

  /// A parser at the start of a document.
  ///
  /// - `place`: what errors call the document.
  /// - `fault`: the error of a document that cannot be read; by default that of a workbook.
  init(
    _ stream: any ByteStream, events: XMLEvents, place: SourceEntry,
    fault: ((String) -> RecordsError)? = nil
  ) throws(RecordsError) {
    let user = Unmanaged.passUnretained(events).toOpaque()
    guard let parser = rivulet_xml_open(Self.calls, user) else {
      throw .unreadable(path: place.path, reason: "out of memory")
    }
    self.stream = stream
    self.events = events
    self.place = place
    self.fault =
      fault ?? { .brokenWorkbook(path: place.path, entry: place.entry, reason: $0) }
    self.parser = parser
    events.parser = self
  }

  deinit { rivulet_xml_close(parser) }

  /// What the parser calls.
  private static let calls = rivulet_xml_events(
    start: { user, name, count, attributes, declaresNamespace in
      guard let name, let events = XMLPushParser.events(user) else { return }
      events.start(name, XMLAttributes(attributes, count: count, declaresNamespace: declaresNamespace))
    },
    end: { user, name in
      guard let name, let events = XMLPushParser.events(user) else { return }
      events.end(name)
    },
    text: { user, bytes, count in
      XMLPushParser.events(user)?.text(UnsafeBufferPointer(start: bytes, count: Int(count)))
    },
    doctype: { user in
      // What a DOCTYPE can declare is not needed and can grow without bounds.
      guard let events = XMLPushParser.events(user) else { return }
      events.refusal = "it has a DOCTYPE, which no workbook or record needs"
      events.parser?.stop()
    })

  /// Reads the whole document.
  func run() throws(RecordsError) {
    while try step() {}
  }

  /// Reads the next piece; false at the document's end.
  func step() throws(RecordsError) -> Bool {
    guard !isAtEnd else { return false }
    let count = try stream.read(into: &buffer, from: 0)
    isAtEnd = count == 0
    buffer.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      rivulet_xml_parse(parser, start, CInt(count), isAtEnd)
    }
    if let refusal = events.refusal { throw fault(refusal) }
    // Set by every error that ends the parsing, and by none other.
    if rivulet_xml_has_failed(parser) || (isAtEnd && !rivulet_xml_is_well_formed(parser)) {
      throw fault(message())
    }
    return true
  }

  /// The bytes of the document that have been taken, exact where a tag has just ended.
  ///
  /// The document is counted in UTF-8.
  var offset: Int { rivulet_xml_offset(parser) }

  /// Has nothing more of the document read.
  func stop() { rivulet_xml_stop(parser) }

  private static func events(_ user: UnsafeMutableRawPointer?) -> XMLEvents? {
    guard let user else { return nil }
    let events = Unmanaged<XMLEvents>.fromOpaque(user).takeUnretainedValue()
    return events.refusal == nil ? events : nil
  }

  private func message() -> String {
    var line: CInt = 0
    let code = rivulet_xml_fault(parser, &line)
    guard code != 0 else { return "its XML is not well-formed" }
    let words = XMLFault.words[Int(code)] ?? "it is not well-formed, by error \(code) of libxml2"
    return "line \(line) of its XML: \(words)"
  }
}
