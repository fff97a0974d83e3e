import Definitions
import Values

/// A field that a pipeline's lists have, as the versions of a layout know it: what headers call it, and which
/// columns are made of it, such as a telephone number and its extension.
struct StoredField {
  /// A column of the source's table, or of a child table.
  struct Column {
    /// The child table; nil for the source's own.
    let table: String?
    var column: LayoutColumn

    var place: String { (table.map { $0 + "." } ?? "") + column.name }
  }

  private(set) var columns: [Column]
  private(set) var concepts: Set<String>
  /// Whether a version needs it.
  private(set) var isEverRequired = false

  /// A field that is one column of the source's table.
  init(_ column: LayoutColumn) { (columns, concepts) = ([Column(table: nil, column: column)], []) }

  private init(columns: [Column], concepts: Set<String>) {
    (self.columns, self.concepts) = (columns, concepts)
  }

  /// What it is made into, which distinguishes one field from another.
  var places: [String] { columns.map(\.place) }

  /// Whether it holds a whole name.
  var isWholeName: Bool {
    columns.contains { if case .fullName = $0.column.type { true } else { false } }
  }

  /// Whether it holds a name of a person, or a part of one.
  var isPersonal: Bool { isWholeName || columns.contains { $0.column.type == .person } }

  /// The fields of all versions, without what says whose a record is; those that several have are one.
  static func all(of layout: Layout, except entity: String?) -> [StoredField] {
    var fields: [StoredField] = []
    for version in layout.versions {
      for field in all(of: version, except: entity) {
        if let known = fields.firstIndex(where: { $0.places == field.places }) {
          fields[known].learn(from: field)
        } else {
          fields.append(field)
        }
      }
    }
    return fields
  }

  /// Takes what another version knows of the same field.
  private mutating func learn(from other: StoredField) {
    concepts.formUnion(other.concepts)
    isEverRequired = isEverRequired || other.isEverRequired
    for (index, column) in other.columns.enumerated() {
      columns[index].column.applies = columns[index].column.applies ?? column.column.applies
      columns[index].column.country = columns[index].column.country ?? column.column.country
    }
  }

  private static func all(of version: LayoutVersion, except entity: String?) -> [StoredField] {
    let own = version.columns.filter { $0.name != entity }.map { Column(table: nil, column: $0) }
    // What is in several slots has a header for each.
    let children = version.children.filter { $0.slots.count == 1 && $0.each.isEmpty }.flatMap { child in
      child.slots[0].map { Column(table: child.target, column: $0) }
    }
    var fields: [StoredField] = []
    var places: [String: Int] = [:]
    for column in own + children where column.column.words.isEmpty && column.column.isStored {
      guard let headers = column.column.place?.headers, let first = headers.first?.text else { continue }
      let concepts = Set(
        headers.compactMap { ColumnConcept.of($0.words.joined(separator: " ")) })
      if let place = places[first] {
        fields[place].columns.append(column)
        fields[place].concepts.formUnion(concepts)
      } else {
        places[first] = fields.count
        fields.append(StoredField(columns: [column], concepts: concepts))
      }
      if column.column.isRequired, let place = places[first] {
        fields[place].isEverRequired = true
      }
    }
    return fields
  }

  /// Whether a value of a sample's column is of its type, of most of them.
  func fits(_ sample: SampleFile.Column) -> Bool {
    columns.first.map { sample.seen.fitsMost($0.column.type) } ?? false
  }

  /// Whether a sample's column is it by the look of its values, whatever the header says.
  func isShown(by sample: SampleFile.Column) -> Bool {
    guard let type = columns.first?.column.type, sample.seen.values > 0 else { return false }
    switch type {
    case .npi: return sample.seen.fits(.npi)
    case .phone:
      return sample.seen.fits(.phone) && sample.seen.hasPunctuatedPhone && concepts.contains("phone")
    case .fullName: return sample.seen.names * 5 >= sample.seen.values * 4
    default: return false
    }
  }

  /// The field without some of its columns; nil where the first goes, of which the others are parts.
  func without(_ taken: Set<String>) -> StoredField? {
    guard let first = columns.first, !taken.contains(first.place) else { return nil }
    var field = self
    field.columns.removeAll { taken.contains($0.place) }
    // Of a suffix alone nothing is left out.
    if field.columns.count == 1, first.column.type == .title(.suffix) {
      field.columns[0].column.type = .suffix
    }
    return field
  }

  /// The field where it is not the key: as what else it is; nil where it is nothing else.
  func besides(key: [String]) -> StoredField? {
    var field = self
    field.columns.removeAll { key.contains($0.place) }
    return field.columns.isEmpty ? nil : field
  }

  /// The field with each of its columns changed.
  func mapping(_ change: (inout LayoutColumn) -> Void) -> StoredField {
    var field = self
    for index in field.columns.indices { change(&field.columns[index].column) }
    return field
  }

  /// The field with the columns of another.
  func adding(_ other: StoredField) -> StoredField {
    var field = self
    field.columns += other.columns
    return field
  }
}

extension ColumnProfile {
  /// Whether there are values, and most of them are of a type, as far as it distinguishes values.
  fileprivate func fitsMost(_ type: ValueType) -> Bool {
    guard values > 0 else { return false }
    switch type {
    // What is called so and is none, zeros for one, is left blank.
    case .npi: return npis > 0 || zeros == values
    case .phone, .phoneWithExtension: return phones * 5 >= values * 4
    case .integer: return fits(.integer)
    case .decimal: return isDecimal
    case .date: return [.date(.iso), .date(.monthDayYear), .date(.compact)].contains(where: fits)
    default: return true
    }
  }
}
