/// How the text of a file's records goes on in records of their own.
struct SampleContinuation {
  /// What says such a record: a column, and its value there.
  var mark: (column: String, value: String)
  /// The columns whose text goes on.
  var texts: [String]
  /// The columns that it has as the record before it.
  var kept: [String]
  /// The columns whose number grows by the first record's own from record to record.
  var counted: [String] = []
  /// How many bytes of a text a record of another format than txt holds; nil for any number.
  var limit: Int?
  /// Whether its line in a txt ends with its text.
  var isTrimmed = false

  /// The same with the names that the file has for the columns.
  func renamed(_ names: [String: String]) -> Self {
    var other = self
    other.mark.column = names[mark.column] ?? mark.column
    other.texts = texts.map { names[$0] ?? $0 }
    other.kept = kept.map { names[$0] ?? $0 }
    other.counted = counted.map { names[$0] ?? $0 }
    return other
  }
}

/// Cuts records whose texts are too long for one into several.
struct RecordSplitter {
  private struct Plan {
    /// The numbers of the columns, and how much of each a record holds.
    let texts: [(column: Int, width: Int)]
    let kept: Set<Int>
    let counted: Set<Int>
    let mark: (column: Int, value: [UInt8])
  }

  /// By the part of the file.
  private let plans: [Plan?]
  /// Whether a character takes one place however many bytes UTF-8 needs for it.
  private let countsCharacters: Bool

  init(_ file: SampleFile, format: SampleFormat, _ quirks: Set<GeneralQuirk>) {
    func index(_ name: String) -> Int? { file.columns.firstIndex { $0.name == name } }
    plans = file.parts.map { part in
      guard let continuation = part.continuation, let mark = index(continuation.mark.column) else {
        return nil
      }
      let texts = continuation.texts.compactMap { name -> (column: Int, width: Int)? in
        guard let column = index(name) else { return nil }
        let width = format == .txt ? file.columns[column].textPlace?.count : continuation.limit
        return width.map { (column, $0) }
      }
      guard !texts.isEmpty else { return nil }
      return Plan(
        texts: texts, kept: Set(continuation.kept.compactMap(index)),
        counted: Set(continuation.counted.compactMap(index)),
        mark: (mark, Array(continuation.mark.value.utf8)))
    }
    countsCharacters = TextWriter.countsCharacters(quirks)
  }

  /// Hands the record, or those that it is cut into, to a closure.
  func split(
    _ record: SampleRecord, _ body: (SampleRecord) throws(SampleError) -> Void
  ) throws(SampleError) {
    guard record.isRow, let plan = plans[record.part] else { return try body(record) }
    let pieces = plan.texts.map { column, width in
      column < record.fields.count ? Self.pieces(of: record.fields[column], width, countsCharacters) : []
    }
    let count = pieces.map(\.count).max() ?? 0
    guard count > 1 else { return try body(record) }
    var first = record
    for (text, pieces) in zip(plan.texts, pieces) where !pieces.isEmpty {
      first.fields[text.column] = pieces[0]
    }
    try body(first)
    for number in 1..<count {
      var next = record
      next.isContinuation = true
      for (column, field) in record.fields.enumerated() {
        next.fields[column] =
          if let text = plan.texts.firstIndex(where: { $0.column == column }) {
            number < pieces[text].count ? pieces[text][number] : []
          } else if column == plan.mark.column {
            plan.mark.value
          } else if plan.counted.contains(column) {
            Self.counted(field, number + 1)
          } else {
            plan.kept.contains(column) ? field : []
          }
      }
      try body(next)
    }
  }

  /// A number of the same digits, times another one: the third of `00100` is `00300`.
  private static func counted(_ digits: [UInt8], _ times: Int) -> [UInt8] {
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return digits }
    let text = Array(String(number * times).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits.count - text.count)) + text
  }

  /// A text cut between words; a word that is too long for a piece is cut itself.
  private static func pieces(of text: [UInt8], _ width: Int, _ countsCharacters: Bool) -> [[UInt8]] {
    func length(_ bytes: some Collection<UInt8>) -> Int {
      countsCharacters ? bytes.count { $0 & 0xC0 != 0x80 } : bytes.count
    }
    guard length(text) > width else { return [text] }
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    for word in text.split(separator: UInt8(ascii: " ")) {
      if !piece.isEmpty, length(piece) + 1 + length(word) > width {
        pieces.append(piece)
        piece = []
      }
      if !piece.isEmpty { piece.append(UInt8(ascii: " ")) }
      piece += word
      while length(piece) > width {
        // Not between the bytes of one character.
        var end = piece.startIndex
        while length(piece[..<end]) < width || piece[end] & 0xC0 == 0x80 { end += 1 }
        pieces.append(Array(piece[..<end]))
        piece.removeSubrange(..<end)
      }
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }
}
