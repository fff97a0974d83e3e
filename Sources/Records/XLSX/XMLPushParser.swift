import CLibXML2

/// Reads an XML document piece by piece by libxml2's push parser: no DTD, no entities but the five of XML, no
/// network.
final class XMLPushParser {
  private let stream: any ByteStream
  private let events: XMLEvents
  private let place: SourceEntry
  private let fault: (String) -> RecordsError
  private let context: xmlParserCtxtPtr
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var isAtEnd = false

  /// A parser at the start of a document.
  /// - Parameters:
  ///   - place: what errors call the document.
  ///   - fault: the error of a document that cannot be read; by default that of a workbook.
  init(
    _ stream: any ByteStream, events: XMLEvents, place: SourceEntry,
    fault: ((String) -> RecordsError)? = nil
  ) throws(RecordsError) {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { user, name, _, _, _, _, count, _, attributes in
      guard let name, let events = XMLPushParser.events(user) else { return }
      events.start(name, XMLAttributes(attributes, count: count))
    }
    handler.endElementNs = { user, name, _, _ in
      guard let name, let events = XMLPushParser.events(user) else { return }
      events.end(name)
    }
    handler.characters = { user, bytes, count in
      XMLPushParser.events(user)?.text(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    handler.cdataBlock = handler.characters
    handler.internalSubset = { user, _, _, _ in
      // What a DOCTYPE can declare is not needed and can grow without bounds.
      guard let events = XMLPushParser.events(user) else { return }
      events.refusal = "it has a DOCTYPE, which no workbook or record needs"
      events.parser?.stop()
    }
    let user = Unmanaged.passUnretained(events).toOpaque()
    guard let context = xmlCreatePushParserCtxt(&handler, user, nil, 0, nil) else {
      throw .unreadable(path: place.path, reason: "out of memory")
    }
    // Without NOENT the five entities of XML would stay as references in attributes; no others can be declared.
    let options = [XML_PARSE_NONET, XML_PARSE_NOENT, XML_PARSE_NOERROR, XML_PARSE_NOWARNING]
    xmlCtxtUseOptions(context, CInt(options.reduce(0) { $0 | $1.rawValue }))
    self.stream = stream
    self.events = events
    self.place = place
    self.fault =
      fault ?? { .brokenWorkbook(path: place.path, entry: place.entry, reason: $0) }
    self.context = context
    events.parser = self
  }

  deinit {
    // Made by the parser itself where a DOCTYPE declares entities, and not freed with it.
    if let document = context.pointee.myDoc { xmlFreeDoc(document) }
    xmlFreeParserCtxt(context)
  }

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
      _ = xmlParseChunk(context, start, CInt(count), isAtEnd ? 1 : 0)
    }
    if let refusal = events.refusal { throw fault(refusal) }
    // Set by every error that ends the parsing, and by none other.
    if context.pointee.disableSAX != 0 || (isAtEnd && context.pointee.wellFormed == 0) {
      throw fault(message())
    }
    return true
  }

  /// The bytes of the document that have been taken, exact where a tag has just ended.
  ///
  /// The document is counted in UTF-8.
  var offset: Int {
    guard let input = context.pointee.input else { return 0 }
    return Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
  }

  private func stop() {
    xmlStopParser(context)
  }

  private static func events(_ user: UnsafeMutableRawPointer?) -> XMLEvents? {
    guard let user else { return nil }
    let events = Unmanaged<XMLEvents>.fromOpaque(user).takeUnretainedValue()
    return events.refusal == nil ? events : nil
  }

  private func message() -> String {
    guard let error = xmlCtxtGetLastError(context), let text = error.pointee.message else {
      return "its XML is not well-formed"
    }
    let sentence = String(cString: text).split(separator: "\n").first ?? "not well-formed"
    return "line \(error.pointee.line) of its XML: \(sentence)"
  }
}
