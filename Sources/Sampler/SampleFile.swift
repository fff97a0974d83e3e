import Definitions
import Values

/// One file of a sample: what is above the header, the layout's header, the rows, and what follows.
struct SampleFile {
  /// How a column is written where it is not as it is, numbers with all their digits after the point.
  enum Style: String, CaseIterable {
    /// As a spreadsheet leaves it: without zeros before a number or at its end.
    case short
    /// Only in the first record of a run of equal ones.
    case firstOfBlock = "first-of-block"
  }

  /// What a field of a row holds.
  indirect enum Field {
    case formula(Formula, Style?)
    /// Texts between columns' values.
    case template([TextTemplate], [Formula])
    /// What a txt has otherwise than the other formats.
    case byFormat(Field, txt: Field)
    /// Nothing.
    case blank

    /// The field as a format has it.
    func field(in format: SampleFormat) -> Field {
      guard case .byFormat(let field, let text) = self else { return self }
      return format == .txt ? text : field
    }
  }

  /// When a column has something in it; columns of one text are judged once.
  struct Condition {
    let text: String
    let holds: Formula
  }

  /// Records of one source: a file may hold those of several.
  struct Part {
    let source: String
    let table: Int
    /// How their texts go on; nil where a record holds all of its text.
    var continuation: SampleContinuation?
    /// Whether they are left out.
    var isLeftOut = false
  }

  /// A column of the file: its field, and how each format has it.
  struct Column {
    var name: String
    /// The words of its header, top to bottom.
    var header: [String]
    var field: Field
    /// The same of the records of the file's further parts, the first of which is number 1; those of a part
    /// that is not here have nothing in the column.
    var others: [Int: Field] = [:]
    /// What else its header may say.
    var otherHeaders: [[String]] = []
    /// What the layout says the text means.
    var type = ValueType.text
    /// Whether a header that lacks it is refused.
    var isRequired = false
    /// The bytes of a fixed-width line that its text takes, from 1; nil where it is left out of a txt.
    var textPlace: ClosedRange<Int>?
    /// How many digits of its number in a txt are after a point that is not written.
    var impliedDecimals = 0
    /// When there is something in it; nil for always.
    var condition: Condition?

    /// Whether the field is a number, not a text that may look like one.
    var isNumber: Bool {
      if case .formula(let formula, _) = field.field(in: .csv), case .number = formula.kind {
        true
      } else {
        false
      }
    }
  }

  /// What a txt has besides the rows.
  struct TextForm {
    /// The lines above the rows.
    var before: [TextTemplate] = []
    /// The lines below the rows.
    var after: [TextTemplate] = []
    /// How many bytes a row has at the least, blanks at its end included.
    var length = 0
    /// How many bytes a row has at the most.
    var greatestLength = 0
    /// What a line begins with that is no row; nil where it is said otherwise.
    var bannerMark: String?
  }

  var entry: TextTemplate
  /// What its records are of: the file's own source first, then those whose records are above its own.
  var parts: [Part]
  /// The formats in which the pipeline reads the source.
  var formats: [SampleFormat]
  /// Quirks of the dataset of which one must be asked for; without any the file is always there.
  var quirks: [String] = []
  var before: [[TextTemplate]]
  var between: [[TextTemplate]]
  var after: [[TextTemplate]]
  var columns: [Column]
  /// A blank record goes between rows that differ in this value.
  var block: Formula?
  /// The text for `{number}` in the header.
  var number: String?
  /// How the file is as a txt.
  var text = TextForm()
  /// The columns that tell rows apart, as far as the file has them.
  var key: [String] = []
  /// Whether records with text in the first field only are known to be footnotes.
  var takesFootnotes = false
  /// The quirks that the publisher's own files have.
  var ownQuirks: Set<GeneralQuirk> = []
  /// Which rows the file has; nil for all.
  var condition: Formula?
  /// Which rows it has twice.
  var again: Formula?

  /// The file's own source, whose layout has the columns.
  var source: String { parts[0].source }
  /// The table of the source's records.
  var table: Int { parts[0].table }

  /// The first source that is not left out.
  var firstSource: String { parts.first { !$0.isLeftOut }?.source ?? source }

  /// Whether the file holds records of a source.
  func holds(_ source: String) -> Bool { parts.contains { $0.source == source } }

  /// The format that the entry's name says.
  var standardFormat: SampleFormat {
    SampleFormat(extensionOf: entry.texts[entry.texts.count - 1]) ?? .csv
  }

  /// The records of the header, its words at the bottom of each column.
  func header(_ texts: [String: String]) -> [[String]] {
    var texts = texts
    texts["number"] = number
    let height = columns.map(\.header.count).max() ?? 0
    return (0..<height).map { row in
      columns.map { column in
        let word = row - (height - column.header.count)
        return word < 0 ? "" : TextTemplate(column.header[word]).filled(texts)
      }
    }
  }
}
