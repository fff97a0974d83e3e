import Definitions
import Values

/// What the versions of a layout say of a pipeline's lists.
struct StoredLayout {
  /// The fields, but those that are the key of folded records.
  let fields: [StoredField]
  /// The field that is the key where records of one provider are folded; nil where no version folds them.
  let folding: StoredField?
  /// The column that says whose a record is; nil where there is none.
  let entity: EntityColumn?
  /// That column of a version, for what a draft makes of it.
  let entityTemplate: LayoutColumn?
  /// The tables that hold names of people, their own as an empty text: an organisation named there is whom the
  /// record is about, and one named elsewhere whom it works for.
  let nameTables: Set<String>
  /// The tables that hold names of organisations.
  private let workTables: Set<String>

  init(_ layout: Layout, key: [String]) {
    let entity = EntityColumn(layout)
    func fields(where isWanted: (LayoutVersion) -> Bool = { _ in true }) -> [StoredField] {
      var layout = layout
      // The layout's own are the last, and say more than those that were drafted.
      layout.versions = layout.versions.filter(isWanted).reversed()
      return StoredField.all(of: layout, except: entity?.name)
    }
    let all = fields()
    let keyed = fields(where: \.isFolded).filter { $0.places.contains(where: key.contains) }
    let others = fields { !$0.isFolded }
    folding = keyed.first
    self.fields = all.filter { field in
      !keyed.contains { $0.places == field.places } || others.contains { $0.places == field.places }
    }
    self.entity = entity
    entityTemplate = layout.versions.flatMap(\.columns).first { $0.name == entity?.name && $0.place == nil }
    workTables = Set(
      all.flatMap(\.columns).filter { $0.column.type == .organization }.compactMap(\.table))
    nameTables = Set(all.filter(\.isPersonal).flatMap(\.columns).map { $0.table ?? "" })
  }

  /// Whether a field is the name of an organisation that a record is about.
  func isOwnName(_ field: StoredField) -> Bool {
    field.columns.contains { $0.column.type == .organization && nameTables.contains($0.table ?? "") }
  }

  /// Whether a field says for whom somebody works.
  func isOfWork(_ field: StoredField) -> Bool {
    field.columns.contains { column in
      column.table.map { workTables.contains($0) && !nameTables.contains($0) } ?? false
    }
  }

  /// The field that says for which organisation somebody works.
  var employer: StoredField? {
    fields.first { isOfWork($0) && $0.columns.contains { $0.column.type == .organization } }
  }

  /// Whether a field is a name by which somebody is known: no first name or suffix alone.
  func isName(_ field: StoredField) -> Bool {
    isOwnName(field) || field.isWholeName
      || field.columns.contains { $0.column.type == .person && field.isEverRequired }
  }
}

/// The column of a layout that says whether a record is a person's or an organisation's: constant in some
/// versions, and one of two words in others.
struct EntityColumn {
  let name: String
  /// What it says of a person, and of an organisation.
  let (person, organization): (String, String)

  init?(_ layout: Layout) {
    for column in layout.versions.flatMap(\.columns) where !column.words.isEmpty {
      let values = Set(column.words.values)
      let constant = layout.versions.lazy.filter(Self.isOfPeople).compactMap { version in
        version.columns.lazy.filter { $0.name == column.name }.compactMap { other in
          if case .constant(let text) = other.origin { text } else { nil }
        }.first
      }.first
      guard values.count == 2, let constant, values.contains(constant),
        let other = values.first(where: { $0 != constant })
      else { continue }
      (name, person, organization) = (column.name, constant, other)
      return
    }
    return nil
  }

  private static func isOfPeople(_ version: LayoutVersion) -> Bool {
    version.everyColumn.contains { column in
      if case .fullName(let part) = column.type { return part.isPersonal }
      return column.type == .person
    }
  }

  /// What lists write for a person and for an organisation, in capitals.
  private static let people: Set<String> = [
    "I", "1", "IND", "INDV", "INDIVIDUAL", "INDIVIDUALS", "P", "PERSON", "PRACTITIONER", "PROFESSIONAL",
    "PROVIDER", "NPI-1", "TYPE 1", "ENTITY TYPE 1",
  ]
  private static let organizations: Set<String> = [
    "O", "2", "ORG", "ORGANIZATION", "ORGANISATION", "ORGANIZATIONAL", "G", "GROUP", "F", "FACILITY", "B",
    "BUSINESS", "BUS", "E", "ENTITY", "COMPANY", "C", "HOSPITAL", "CLINIC", "PHARMACY", "AGENCY", "NPI-2",
    "TYPE 2", "ENTITY TYPE 2", "INSTITUTION",
  ]

  /// What is stored for each value of a column that says the same; nil where it says something else.
  func words(_ codes: Set<String>?) -> [String: String]? {
    guard let codes, !codes.isEmpty, codes.allSatisfy(Self.people.union(Self.organizations).contains) else {
      return nil
    }
    return Dictionary(
      uniqueKeysWithValues: codes.map { ($0, Self.people.contains($0) ? person : organization) })
  }
}
