import Definitions
import Values

extension ColumnMapping {
  /// Whose the records are: by columns for one or the other, by a column that says it, by the names themselves.
  mutating func subject() -> Subject {
    let wholeConcepts = concepts(where: \.isWholeName)
    let lastConcepts = concepts { stored.isName($0) && !$0.isWholeName && $0.isPersonal }
    let ownConcepts = concepts(where: stored.isOwnName)
    var subject = Subject(kind: .people)
    subject.type = typeColumn()
    func first(_ wanted: Set<String>) -> Int? {
      columns(meaning: wanted).first { $0 != subject.type?.index }
    }
    subject.last = first(lastConcepts)
    subject.organization = first(ownConcepts)
    let whole = first(wholeConcepts.union(["name"]))
    subject.whole = subject.last == nil ? whole : nil
    if subject.names.isEmpty {
      subject.whole = headers.indices.first {
        concepts[$0] != nil && seen($0).names * 5 >= max(1, seen($0).values) * 4
      }
    }
    if stored.entity != nil {
      decide(&subject)
    } else if subject.last == nil, subject.whole == nil {
      subject.kind = .organizations
    }
    return subject
  }

  private func concepts(where isWanted: (StoredField) -> Bool) -> Set<String> {
    Set(stored.fields.filter(isWanted).flatMap(\.concepts))
  }

  private mutating func decide(_ subject: inout Subject) {
    let said = Set((subject.type?.words ?? [:]).values)
    if let last = subject.last {
      guard let own = subject.organization else { return }
      let pairs = zip(seen(last).prints, seen(own).prints)
      // Ms. None is a person, if she has a first name.
      let first = columns(meaning: ["first"]).first.map { seen($0).prints } ?? []
      let alone = pairs.enumerated().count { record, names in
        names.0 == 0 && names.1 != 0 && (record >= first.count || first[record] == 0)
      }
      let isBoth = alone > 0 || said.count > 1 || answers.subject == .both
      if isBoth, answers.subject != .people {
        subject.kind = .bothByLast(last)
        // Where another column says whom they work for, there is no second place for it.
        let works = stored.employer.map { columns(meaning: $0.concepts).contains { $0 != own } } ?? true
        subject.employer = works ? nil : stored.employer
        let together = pairs.count { $0 != 0 && $1 != 0 }
        if together > 0 {
          note(
            "of \(together) records with '\(headers[last])' and '\(headers[own])' the person is loaded, and "
              + (works ? "not the organisation" : "the organisation as whom the person works for"),
            assumed: .both)
        }
      } else {
        // Whom they work for.
        subject.organization = nil
      }
      return
    }
    // The one column of names that the records have.
    guard let names = subject.whole ?? subject.organization else { return }
    let (values, people, organizations) = (seen(names).values, seen(names).names, seen(names).organizations)
    let isCalled = subject.whole == nil
    let kind: RecordSubject
    if let answer = answers.subject {
      kind = answer
    } else if let one = said.first {
      kind = said.count > 1 ? .both : one == stored.entity?.person ? .people : .organizations
    } else if isCalled ? people * 5 < values : organizations * 5 >= values * 3 && people * 20 < values {
      kind = .organizations
      if !isCalled, organizations * 10 < values * 9 {
        note("'\(headers[names])' has names of organisations, by most of them", assumed: kind)
      }
    } else if organizations * 50 > values, organizations > 0 {
      kind = .both
      note(
        "'\(headers[names])' has names of people and of organisations, \(organizations) of \(values) by their words",
        assumed: kind)
    } else {
      kind = .people
      if people * 3 < values {
        note("'\(headers[names])' is taken for names of people: no word of them tells", assumed: kind)
      }
    }
    switch kind {
    case .people: (subject.whole, subject.organization) = (names, nil)
    case .organizations:
      (subject.kind, subject.whole, subject.organization) = (.organizations, nil, names)
    case .both: (subject.kind, subject.whole, subject.organization) = (.bothByName(names), names, nil)
    }
  }

  /// What columns mean that say of what kind a record is.
  private static let kinds: Set<String> = [
    "type", "id type", "organization type", "id organization type", "organization",
  ]

  /// A column with few values, each of which says a person or an organisation.
  private func typeColumn() -> (index: Int, words: [String: String])? {
    for index in headers.indices where seen(index).blanks == 0 && answers.columns[headers[index]] == nil {
      guard let concept = concepts[index], Self.kinds.contains(concept), let entity = stored.entity,
        let found = entity.words(seen(index).codes)
      else { continue }
      return (index, found)
    }
    return nil
  }

  private mutating func note(_ remark: String, assumed: RecordSubject) {
    let others = RecordSubject.allCases.filter { $0 != assumed }
    doubts.append(
      DraftDoubt(
        matter: .subject, remark: remark, question: "Whose records are these?",
        choices: ([assumed] + others).map(\.rawValue)))
  }
}
