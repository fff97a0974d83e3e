import Definitions
import Values

/// Whose the records of a sample are, and what says so.
struct Subject {
  enum Kind: Equatable {
    case people, organizations
    /// Both: a record with something in a column of last names is a person's.
    case bothByLast(Int)
    /// Both in one column of names, distinguished by their words.
    case bothByName(Int)
  }

  var kind: Kind
  /// The column that says it by words of its own, and what is stored for each; nil where there is none.
  var type: (index: Int, words: [String: String])?
  /// The columns of last names, of whole names and of names of organisations that the list is about.
  var last: Int?
  var whole: Int?
  var organization: Int?
  /// What the name of an organisation is stored as beside a person, where no other column says that.
  var employer: StoredField?

  var isOfPeople: Bool { kind == .people }

  /// The columns with names.
  var names: [Int] { [last, whole, organization].compactMap(\.self) }

  /// Whether any of the records have a field: people have no name of an organisation, and no organisation works
  /// for one.
  func takes(_ field: StoredField, _ stored: StoredLayout) -> Bool {
    switch kind {
    case .people: return !stored.isOwnName(field)
    case .organizations: return !field.isPersonal && !stored.isOfWork(field)
    case .bothByLast: return !field.isWholeName
    case .bothByName: return true
    }
  }

  /// The column of a field where whose the records are decides which it is.
  func column(for field: StoredField, _ stored: StoredLayout) -> Int? {
    if stored.isOwnName(field) { return organization }
    if field.isWholeName { return whole }
    return nil
  }

  /// A field as it is where records are of people and of organisations.
  func adapted(_ field: StoredField, at index: Int, _ stored: StoredLayout) -> StoredField {
    if kind != .people, stored.isOfWork(field) { return field.ofPeople(stored) }
    switch kind {
    case .people:
      return field.isEverRequired && stored.isName(field) && !field.isWholeName
        ? field.mapping { $0.isRequired = true } : field
    // As without a last name: what has no name is nobody's.
    case .organizations: return stored.isOwnName(field) ? field.mapping { $0.isRequired = true } : field
    case .bothByLast:
      if stored.isOwnName(field),
        let last = stored.fields.first(where: {
          $0.columns.first?.column.type == .person && stored.isName($0)
        })
      {
        let name = last.columns[0].column.name
        let own = field.mapping { $0.blankWhen = BlankRule(with: name) }
        // Of a person it is whom that works for.
        return employer.map { own.adding($0.ofPeople(stored)) } ?? own
      }
      return field.isPersonal ? field.mapping { $0.isRequired = false } : field
    case .bothByName(let name):
      guard index == name, field.isWholeName,
        let own = stored.fields.first(where: stored.isOwnName), let organization = own.columns.first?.column
      else { return field }
      let people = field.mapping {
        $0.isRequired = false
        $0.blankWhen = BlankRule(with: organization.name)
      }
      return people.adding(own.mapping { ($0.type, $0.blankWhen) = (.fullName(.organization), nil) })
    }
  }

  /// What says whose a record is, and the column of the sample that it is made of.
  func entityColumn(_ entity: EntityColumn, _ stored: StoredLayout) -> (index: Int?, column: LayoutColumn)? {
    guard var column = stored.entityTemplate else { return nil }
    if let type {
      (column.type, column.words) = (.code, type.words)
      column.width = nil
      return (type.index, column)
    }
    switch kind {
    case .people: column.origin = .constant(entity.person)
    case .organizations: column.origin = .constant(entity.organization)
    case .bothByLast(let last):
      (column.type, column.sharesField) = (.person, true)
      (column.words, column.defaultText) = ([LayoutColumn.anyOther: entity.person], entity.organization)
      return (last, column)
    case .bothByName(let name):
      (column.type, column.sharesField) = (.fullName(.entity), true)
      column.words = ["individual": entity.person, "organization": entity.organization]
      if column.words.allSatisfy({ $0 == $1 }) { column.words = [:] }
      return (name, column)
    }
    return (nil, column)
  }
}

extension StoredField {
  /// What is said of people alone, and is nothing in records of organisations.
  fileprivate func ofPeople(_ stored: StoredLayout) -> StoredField {
    guard let entity = stored.entity else { return self }
    return mapping {
      $0.blankWhen = BlankRule(where: Applicability(column: entity.name, values: [entity.organization]))
    }
  }
}
