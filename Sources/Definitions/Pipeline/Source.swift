public import Values

/// One table of a bundle: which entries carry it, how they are laid out, and where the rows go.
public struct Source: Sendable, Hashable {
  /// What an entry is, by the extension of its name.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// Comma-separated values.
    case csv
    /// Fixed-width records, one a line.
    case txt
    /// A workbook, one sheet of which is the table.
    case xlsx
    /// JSON, each line a record.
    case ndjson
    /// A JSON document that holds records, or is one.
    case json
    /// An XML document that holds records, or is one.
    case xml

    /// The format that the extension of a name says, in any letter case; nil where it says none.
    public init?(fileExtension: String) {
      switch fileExtension.lowercased() {
      case "jsonl": self = .ndjson
      case let text: self.init(rawValue: text)
      }
    }

    /// The format that a name says by what is behind its last dot.
    public init?(fileName: String) {
      guard let dot = fileName.lastIndex(of: ".") else { return nil }
      self.init(fileExtension: String(fileName[fileName.index(after: dot)...]))
    }

    /// Whether records are properties of things within each other.
    public var isTree: Bool { self == .ndjson || self == .json || self == .xml }
  }

  /// One of several files that make up a table together.
  public struct Part: Sendable, Hashable {
    /// Which of the source's entries it is.
    public var entries: Glob
    /// The values that its rows have in columns that are constant in the layout.
    public var constants: [String: String]
  }

  /// What becomes of a release in which several records of a source have the same key.
  public enum Duplicates: String, Sendable, Hashable, CaseIterable {
    /// It is refused.
    case refuse
    /// The first record stays; those that bring the same rows are skipped as copies, others are rejected.
    case setAside = "set-aside"
  }

  /// What becomes of records that refer to a row that is nowhere.
  public enum Orphans: String, Sendable, Hashable, CaseIterable {
    /// The server refuses them, and the run with them.
    case refuse
    /// They are rejected.
    case reject
  }

  /// The source's name.
  public var name: String
  /// Which entries carry it.
  public var entries: Glob
  /// The files that the table may come in instead of one; an entry is the first part that it fits.
  public var parts: [Part] = []
  /// Whether its table comes in any number of entries, which are all loaded.
  public var isGathered = false
  /// The formats it is taken from; the first that a bundle has is used.
  public var formats: [Format]
  /// The layout's name.
  public var layout: String
  /// The table that its rows go to, `schema.table`.
  public var target: String
  /// The columns that tell rows of one release apart.
  public var key: [String]
  /// What becomes of records whose key others have.
  public var duplicates = Duplicates.refuse
  /// What becomes of records that refer to a row that is neither staged nor in its table.
  public var orphans = Orphans.refuse
  /// Whether a bundle may lack it.
  public var isOptional = false
  /// What must hold of its rows as a whole.
  public var expectation = Expectation()
  /// What says the newest of several entries: the number that the pattern's first group finds in a name.
  public var latest: TextPattern?
  /// What its rows do to the other tables of their release; nil for a source that is one of the tables.
  public var amendment: Amendment?
  /// What its rows do to the other tables where they are merged into a published release; nil where that is
  /// nothing else.
  public var change: Amendment?
  /// What merging its rows means beyond inserting and updating.
  public var merge = MergeRule()
  /// The byte between the fields of its csv.
  public var delimiter = UInt8(ascii: ",")
  /// The only encoding that its texts may have; nil where each file shows its own.
  public var encoding: TextEncoding?
}

/// A pattern of file names: `*` means any text, `?` one letter; letter case does not count.
public struct Glob: Sendable, Hashable {
  /// The pattern's text.
  public let text: String
  private let letters: [Character]

  /// A pattern; nil when it is empty or has a slash, as only the last component of a path is compared.
  public init?(_ text: String) {
    guard !text.isEmpty, !text.contains("/") else { return nil }
    self.text = text
    letters = Array(text.lowercased())
  }

  /// Whether the last component of a path fits the pattern.
  public func matches(_ path: String) -> Bool {
    let name = Array((path.split(separator: "/").last ?? "").lowercased())
    var place = 0
    var letter = 0
    var star: (letter: Int, place: Int)?
    while place < name.count {
      if letter < letters.count, letters[letter] == "*" {
        star = (letter, place)
        letter += 1
      } else if letter < letters.count, letters[letter] == "?" || letters[letter] == name[place] {
        letter += 1
        place += 1
      } else if let last = star {
        // The star takes one letter more, and what follows it is tried again.
        star = (last.letter, last.place + 1)
        letter = last.letter + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return letters[letter...].allSatisfy { $0 == "*" }
  }
}
