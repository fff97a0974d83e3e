import Host

struct MigrationFile {
  /// Its name without folders.
  let name: String
  let path: String

  init(_ path: String) {
    self.path = path
    name = Path.name(path)
  }

  /// The `.sql` files of a folder by name, of which the names may be known; what begins with a dot is left out.
  static func scripts(in folder: String, names: [String]? = nil) throws -> [MigrationFile] {
    try (names ?? Files.list(folder)).filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }
      .map { MigrationFile(Path.join(folder, $0)) }
  }

  /// All files of a folder, those of folders within it included where it is deep, in order of path; what begins
  /// with a dot is left out.
  static func tree(_ folder: String, isDeep: Bool = true) throws -> [MigrationFile] {
    try Files.list(folder).filter { !$0.hasPrefix(".") }.flatMap { name -> [MigrationFile] in
      let path = Path.join(folder, name)
      if !Files.isDirectory(path) { return [MigrationFile(path)] }
      return isDeep ? try tree(path) : []
    }
  }

  /// The text with LF at the end of each line and no byte order mark: a return without a line feed ends a line
  /// too, since editors count it, and so do our errors.
  ///
  /// - Throws: `MigrationError.malformed` where it is no UTF-8, and `FileError`.
  func text() throws -> String {
    let (text, fault) = try textOrFault()
    if let fault { throw fault }
    return text
  }

  /// The text of a file that is no UTF-8, too, so far as it can be read, and what is wrong.
  func textOrFault() throws(FileError) -> (String, MigrationError?) {
    let bytes = try Files.read(path)
    let text = String(validating: bytes, as: UTF8.self)
    if let text, !bytes.contains(0x0d), !bytes.starts(with: SectionedText.byteOrderMark) {
      return (text, nil)
    }
    let fault = MigrationError.unfit(
      path, "this is not UTF-8", "convert it, such as with iconv -f LATIN1 -t UTF-8")
    return (
      SectionedText.lines(text ?? String(decoding: bytes, as: UTF8.self)).joined(separator: "\n"),
      text == nil ? fault : nil
    )
  }
}

/// A text whose sections begin with a line of their own, such as `-- rivulet:up`.
struct SectionedText {
  /// What follows the mark, the line of the mark from 1, and the lines up to the next one.
  let sections: [(mark: Substring, line: Int, sql: String)]
  /// The first line before the sections that is neither blank nor a comment.
  let earlyLine: Int?

  /// `mark` gives what follows the mark of a line that begins a section.
  init(_ text: String, mark: (Substring) -> Substring?) {
    let lines = SectionedText.lines(text)
    let begins = lines.indices.compactMap { index in mark(lines[index]).map { (index, $0) } }
    let ends = begins.dropFirst().map(\.0) + [lines.count]
    let hasReturns = text.utf8.contains(0x0d)
    sections = zip(begins, ends).map { begin, end in
      (begin.1, begin.0 + 1, SectionedText.joined(lines[(begin.0 + 1)..<end], of: text, hasReturns))
    }
    let early = lines.prefix(begins.first?.0 ?? lines.count).firstIndex { line in
      let trimmed = line.drop { $0.isWhitespace || $0 == "\u{feff}" }
      return !trimmed.isEmpty && !trimmed.hasPrefix("--")
    }
    earlyLine = early.map { $0 + 1 }
  }

  /// Some lines with LF between them, as they are in the text where it has no others.
  private static func joined(_ lines: ArraySlice<Substring>, of text: String, _ hasReturns: Bool) -> String {
    guard !hasReturns, let first = lines.first, let last = lines.last else {
      return lines.joined(separator: "\n")
    }
    return String(text[first.startIndex..<last.endIndex])
  }

  /// Lines without their ends; LF, CRLF and bare CR all end one. A byte order mark is no part of the first.
  static func lines(_ text: String) -> [Substring] {
    var rest = text[...]
    while rest.utf8.starts(with: byteOrderMark) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: byteOrderMark.count)...]
    }
    var lines: [Substring] = []
    let bytes = rest.utf8
    var start = rest.startIndex
    while let end = bytes[start...].firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) {
      lines.append(rest[start..<end])
      let next = bytes.index(after: end)
      let isPair = bytes[end] == 0x0d && next < bytes.endIndex && bytes[next] == 0x0a
      start = isPair ? bytes.index(after: next) : next
    }
    return lines + [rest[start...]]
  }

  static let byteOrderMark = Array("\u{feff}".utf8)
}

extension Substring {
  /// What comes before the first blank.
  var firstWord: Substring {
    let isEnd = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) || byte >= 0x80 }
    guard let end = utf8.firstIndex(where: isEnd) else { return self }
    // Of blanks other than ASCII's the library knows, at many times the cost.
    return utf8[end] < 0x80 ? self[..<end] : prefix { !$0.isWhitespace }
  }

  /// Without blanks at either end.
  var trimmingBlanks: Substring {
    if isEmpty { return self }
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
