/// How a row of a query is shown to people as a receipt: a title, and lines of a label and a sentence, in which
/// `{column}` stands for a value of the row.
public struct ReceiptTemplate: Sendable, Hashable {
  /// Text with columns in it.
  public struct Sentence: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
      case text(String)
      case column(String)
    }

    private let pieces: [Piece]

    /// The columns whose values it has, in their order.
    public var columns: [String] {
      pieces.compactMap { if case .column(let name) = $0 { name } else { nil } }
    }

    /// Takes a text apart; a brace that is not closed stands for itself.
    init(_ text: String) {
      var pieces: [Piece] = []
      var rest = text[...]
      while let open = rest.firstIndex(of: "{"), let end = rest[open...].firstIndex(of: "}") {
        pieces += [.text(String(rest[..<open])), .column(String(rest[rest.index(after: open)..<end]))]
        rest = rest[rest.index(after: end)...]
      }
      self.pieces = pieces + [.text(String(rest))]
    }

    /// The sentence with the values of a row, blanks that are beside each other as one; nil where `needsAll` and
    /// one of the values is not there.
    public func filled(needsAll: Bool, _ value: (String) -> String?) -> String? {
      var text = ""
      for piece in pieces {
        switch piece {
        case .text(let part): text += part
        case .column(let name):
          let found = value(name) ?? ""
          if needsAll, found.isEmpty { return nil }
          text += found
        }
      }
      return text.split(separator: " ").joined(separator: " ")
    }
  }

  /// What it is the receipt of.
  public let title: Sentence
  /// The lines; one of which a value is not there is left out.
  public let lines: [Line]

  /// A label, and what is said beside it.
  public struct Line: Sendable, Hashable {
    /// The label, such as `Facility`.
    public let label: String
    /// What is said.
    public let sentence: Sentence
  }

  /// All columns that it shows.
  public var columns: [String] { title.columns + lines.flatMap(\.sentence.columns) }

  init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "a receipt", keys: ["title", "lines"], in: file),
      let title = fields.needText("title"), let lines = fields.mapping("lines")
    else { return nil }
    self.title = Sentence(title.value)
    self.lines = lines.compactMap { entry in
      fields.text(entry.value, called: "'\(entry.key)'").map {
        Line(label: entry.key, sentence: Sentence($0.value))
      }
    }
  }
}
