import CLibYAML

/// One of libyaml's events as a Swift value.
struct YAMLEvent {
  enum Kind: Equatable {
    case streamStart, streamEnd, documentStart, documentEnd
    case scalar(String, quoted: Bool)
    case sequenceStart, sequenceEnd, mappingStart, mappingEnd, alias
  }

  var kind: Kind
  var mark: Mark
  var hasAnchor: Bool
  var hasTag: Bool
}

/// Owns a libyaml parser and the bytes it reads; the only place that touches libyaml's pointers.
final class YAMLEvents {
  let file: String
  private let lineOffset: Int
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool

  init(_ bytes: [UInt8], file: String, lineOffset: Int) {
    self.file = file
    self.lineOffset = lineOffset
    // libyaml keeps a pointer to its input: the copy lives as long as the parser.
    input = .allocate(capacity: max(bytes.count, 1))
    _ = input.initialize(from: bytes)
    isReady = yaml_parser_initialize(parser) == 1
    if isReady {
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deallocate()
    input.deallocate()
  }

  /// The next event; throws what libyaml finds wrong with the text.
  func next() throws(DefinitionError) -> YAMLEvent {
    guard isReady else { throw DefinitionError(file: file, message: "no memory to read the definition") }
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { yaml_event_delete(&event) }
    return translate(event)
  }

  private func translate(_ event: yaml_event_t) -> YAMLEvent {
    func made(
      _ kind: YAMLEvent.Kind, anchor: UnsafeMutablePointer<yaml_char_t>? = nil,
      tag: UnsafeMutablePointer<yaml_char_t>? = nil
    ) -> YAMLEvent {
      YAMLEvent(kind: kind, mark: mark(event.start_mark), hasAnchor: anchor != nil, hasTag: tag != nil)
    }
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: return made(.documentStart)
    case YAML_DOCUMENT_END_EVENT: return made(.documentEnd)
    case YAML_ALIAS_EVENT: return made(.alias)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = scalar.value.map {
        String(decoding: UnsafeBufferPointer(start: $0, count: scalar.length), as: UTF8.self)
      }
      let kind = YAMLEvent.Kind.scalar(text ?? "", quoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
      return made(kind, anchor: scalar.anchor, tag: scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return made(.sequenceStart, anchor: start.anchor, tag: start.tag)
    case YAML_SEQUENCE_END_EVENT: return made(.sequenceEnd)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return made(.mappingStart, anchor: start.anchor, tag: start.tag)
    case YAML_MAPPING_END_EVENT: return made(.mappingEnd)
    case YAML_STREAM_END_EVENT: return made(.streamEnd)
    default: return made(.streamStart)
    }
  }

  private func mark(_ mark: yaml_mark_t) -> Mark {
    Mark(line: Int(clamping: mark.line) + 1 + lineOffset, column: Int(clamping: mark.column) + 1)
  }

  private func problem() -> DefinitionError {
    let state = parser.pointee
    let reason = state.problem.map { String(cString: $0) } ?? "unreadable"
    if state.error == YAML_READER_ERROR {
      // A reader error has an offset in bytes instead of a line.
      let before = input.prefix(Int(clamping: state.problem_offset))
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1 + lineOffset
      let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      return DefinitionError(
        file: file, mark: Mark(line: line, column: before.count - lineStart + 1),
        message: "not a UTF-8 text: \(reason)")
    }
    let context = state.context.map { " " + String(cString: $0) } ?? ""
    let begun = mark(state.context_mark)
    let place = mark(state.problem_mark)
    let hint = state.context != nil && begun.line < place.line ? "it begins on line \(begun.line)" : nil
    return DefinitionError(file: file, mark: place, message: "not YAML: \(reason)\(context)", hint: hint)
  }
}
