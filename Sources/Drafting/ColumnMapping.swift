import Definitions
import Records
import Values

/// Which columns of a sample are which fields of a layout.
struct ColumnMapping {
  /// What the sample calls its columns.
  let headers: [String]
  /// The fields that were found, each with the number of the sample's column.
  private(set) var mapped: [(sample: Int, field: StoredField)] = []
  /// The columns of the key that no column of the sample is, and no number of a record either.
  private(set) var missingKey: [String] = []
  /// The columns that have the same value, or a number, in every record: those of the source's own table.
  private(set) var given: [LayoutColumn] = []
  /// Whether records of one key are folded to one row.
  var isFolded = false
  /// What is not certain.
  var doubts: [DraftDoubt] = []
  /// Whether the layout has names, and none was found for the records.
  private(set) var isNameless = false

  let layout: Layout
  let stored: StoredLayout
  let key: [String]
  let sample: SampleFile
  let answers: DraftAnswers
  /// What each column means, by its header or the user's word.
  private(set) var concepts: [String?]
  private var taken: Set<String> = []
  var used: Set<Int> = []

  init(_ sample: SampleFile, layout: Layout, key: [String], answers: DraftAnswers = DraftAnswers()) {
    (self.sample, self.layout, self.key, self.answers) = (sample, layout, key, answers)
    stored = StoredLayout(layout, key: key)
    headers = sample.columns.map(\.place.text)
    concepts = headers.map { ColumnConcept.of(answers.columns[$0] ?? $0) }
    used = Set(headers.indices.filter { answers.columns[headers[$0]] == DraftAnswers.none })
    let subject = subject()
    if let type = subject.type { used.insert(type.index) }
    takeTypes(for: subject)
    mapKey(subject)
    mapFields(subject)
    mapEntity(subject)
    for column in layout.versions.flatMap(\.columns) where column.place == nil && !taken.contains(column.name)
    {
      taken.insert(column.name)
      given.append(column)
    }
    mapped.sort { $0.sample < $1.sample }
    missingKey = key.filter { !taken.contains($0) }
    isNameless =
      stored.fields.contains(where: stored.isName) && !mapped.contains { stored.isName($0.field) }
  }

  /// What was seen of a column.
  func seen(_ column: Int) -> ColumnProfile { sample.columns[column].seen }

  /// The columns that mean one of some things and hold something, those that are taken aside.
  func columns(meaning wanted: Set<String>) -> [Int] {
    headers.indices.filter { index in
      !used.contains(index) && seen(index).values > 0 && concepts[index].map(wanted.contains) ?? false
    }
  }

  func isUnique(_ index: Int) -> Bool { seen(index).isUnique && seen(index).blanks == 0 }

  mutating func map(_ index: Int, to field: StoredField) {
    taken.formUnion(field.places)
    used.insert(index)
    mapped.append((index, field))
  }

  /// What is called a type and says nothing of people and organisations is what they do.
  private mutating func takeTypes(for subject: Subject) {
    guard !concepts.contains("specialty") else { return }
    for index in headers.indices where index != subject.type?.index && seen(index).values > 0 {
      guard concepts[index] == "type" else { continue }
      concepts[index] = "specialty"
      doubts.append(
        DraftDoubt(
          matter: .column(headers[index]), remark: "'\(headers[index])' is taken for the specialty",
          question: "What does '\(headers[index])' mean?", choices: []))
    }
  }

  private mutating func mapFields(_ subject: Subject) {
    // Names in columns of their own go before those in one field.
    let fields =
      stored.fields.filter { !$0.isWholeName && !stored.isOwnName($0) }
      + stored.fields.filter(\.isWholeName) + stored.fields.filter(stored.isOwnName)
    for field in fields where subject.takes(field, stored) {
      // The key was looked for before, unless several columns are one together.
      guard let field = key.count == 1 ? field.besides(key: key) : field,
        let open = field.without(taken.union(apart(from: field))), let index = column(for: open, subject)
      else { continue }
      let isKey = !isUnique(index) && open.places.contains(where: key.contains)
      guard let found = isKey ? open.besides(key: key) : open else { continue }
      map(index, to: subject.adapted(found, at: index, stored))
    }
    // What is blank in the sample may have something in the next file.
    for field in fields where subject.takes(field, stored) && !stored.isName(field) {
      guard let open = field.besides(key: key)?.without(taken),
        let index = headers.indices.first(where: { index in
          !used.contains(index) && seen(index).values == 0
            && concepts[index].map(open.concepts.contains) ?? false
        })
      else { continue }
      map(index, to: subject.adapted(open, at: index, stored))
    }
  }

  /// What could be made of a column of suffixes, and is in another of the sample: credentials.
  private func apart(from field: StoredField) -> Set<String> {
    guard case .title? = field.columns.first?.column.type else { return [] }
    let known = Set(concepts.compactMap(\.self))
    let others = stored.fields.filter {
      ($0.columns.count == 1 || $0.isWholeName) && !$0.concepts.isDisjoint(with: known)
    }
    return Set(field.places.dropFirst()).intersection(others.flatMap(\.places))
  }

  /// The column of the sample that is a field: by what its header says, then by the look of its values.
  private mutating func column(for field: StoredField, _ subject: Subject) -> Int? {
    if stored.isOwnName(field) || field.isWholeName {
      return subject.column(for: field, stored).flatMap { used.contains($0) ? nil : $0 }
    }
    let own = stored.isOfWork(field) ? subject.organization : nil
    let called = columns(meaning: field.concepts).filter { $0 != own && field.fits(sample.columns[$0]) }
    if let index = called.first {
      noteOthers(Array(called.dropFirst()), than: index)
      noteOddNPIs(index, field)
      return index
    }
    let known = Set(stored.fields.flatMap(\.concepts))
    let shown = headers.indices.filter { index in
      !used.contains(index) && answers.columns[headers[index]] == nil
        && !(concepts[index].map(known.contains) ?? false)
        && !(concepts[index]?.split(separator: " ").contains { $0 == "npi" || $0 == "mailing" } ?? false)
        && field.isShown(by: sample.columns[index])
    }
    guard let index = shown.first else { return nil }
    doubts.append(
      DraftDoubt(
        matter: .column(headers[index]),
        remark: "'\(headers[index])' is taken for \(Self.list(field.places)) by the look of its values",
        question: "What does '\(headers[index])' mean?", choices: []))
    return index
  }

  private mutating func noteOthers(_ others: [Int], than index: Int) {
    guard !others.isEmpty else { return }
    let names = Self.list(others.map { headers[$0] })
    doubts.append(
      DraftDoubt(
        matter: .column(headers[index]), remark: "'\(headers[index])' is loaded, and not \(names)",
        question: "What does '\(headers[index])' mean?", choices: []))
  }

  /// Says how many numbers are none that anybody has.
  private mutating func noteOddNPIs(_ index: Int, _ field: StoredField) {
    let (values, npis, zeros) = (seen(index).values, seen(index).npis, seen(index).zeros)
    guard field.columns.first?.column.type == .npi, npis + zeros < values else { return }
    doubts.append(
      DraftDoubt(
        matter: .column(headers[index]),
        remark:
          "\(values - npis - zeros) of \(values) values of '\(headers[index])' are no NPIs and are left blank",
        question: "What does '\(headers[index])' mean?", choices: []))
  }

  /// What says whose a record is.
  private mutating func mapEntity(_ subject: Subject) {
    guard let entity = stored.entity, let column = subject.entityColumn(entity, stored) else { return }
    taken.insert(entity.name)
    if let index = column.index {
      mapped.append((index, StoredField(column.column)))
      used.insert(index)
    } else {
      given.append(column.column)
    }
  }

  static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
