import Definitions

/// One file of a sample: what stands above the header, the layout's header, the rows, and what follows.
struct SampleFile {
  /// How a column is written.
  enum Style {
    /// As it is: numbers with all their digits after the point.
    case whole
    /// As a spreadsheet leaves it: without zeros before a number or at its end.
    case short
    /// Only in the first record of a run of equal ones.
    case firstOfBlock
  }

  /// What a field of a row holds.
  enum Field {
    case formula(Formula, Style)
    /// Texts between columns' values.
    case template([String], [Formula])
  }

  /// A column of the file: its field and the words of its header, top to bottom.
  struct Column {
    let header: [String]
    let field: Field
  }

  let entry: TextTemplate
  let table: Int
  let before: [[TextTemplate]]
  let between: [[TextTemplate]]
  let after: [[TextTemplate]]
  let columns: [Column]
  /// A blank record goes between rows that differ in this value.
  let block: Formula?
  /// What stands for `{number}` in the header.
  let number: String?

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
