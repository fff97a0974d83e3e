import Definitions
import Values

extension ColumnMapping {
  /// Finds what tells records apart: a number of the provider's, of several the likeliest.
  mutating func mapKey(_ subject: Subject) {
    guard key.count == 1, !mapFolded(subject) else { return }
    let keyed = stored.fields.filter { $0.places.contains(where: key.contains) }
    guard let plain = keyed.min(by: { $0.columns.count < $1.columns.count }) else { return }
    let known = Set(keyed.flatMap(\.concepts))
    let candidates = headers.indices.filter { index in
      !used.contains(index) && isUnique(index)
        && (ColumnConcept.isIdentifier(concepts[index]) || concepts[index].map(known.contains) ?? false)
        && !(subject.isOfPeople && ColumnConcept.isOfOrganization(concepts[index]))
    }
    func rank(_ index: Int) -> Int {
      let names = ["id", "id organization", "ccn id", "id license"]
      return names.firstIndex(of: concepts[index] ?? "") ?? names.count
    }
    guard let index = candidates.min(by: { (rank($0), $0) < (rank($1), $1) }) else { return }
    let others = candidates.filter { $0 != index }.map { headers[$0] }
    if !others.isEmpty {
      doubts.append(
        DraftDoubt(
          matter: .column(headers[index]),
          remark: "'\(headers[index])' tells records apart; \(Self.list(others)) could, too",
          question: "What does '\(headers[index])' mean?", choices: []))
    }
    map(index, to: keyed.first { $0.concepts.contains(concepts[index] ?? "") } ?? plain)
  }

  /// Takes the number of a provider for the key where a provider has several records that agree in its name.
  private mutating func mapFolded(_ subject: Subject) -> Bool {
    guard let field = stored.folding, answers.folds != false,
      let index = columns(meaning: field.concepts).first,
      let type = field.columns.first?.column.type, seen(index).values == sample.records,
      type != .npi || seen(index).npis == seen(index).values, !seen(index).isUnique
    else { return false }
    let names = subject.names.filter { seen($0).values > 0 }
    guard !names.isEmpty, names.allSatisfy({ agrees($0, by: index) }) else { return false }
    isFolded = true
    doubts.append(
      DraftDoubt(
        matter: .folding,
        remark:
          "records with the same '\(headers[index])' are one provider, with the addresses of all of them",
        question: "Several records have the same '\(headers[index])'. Are they one provider?",
        choices: ["yes", "no"]))
    map(index, to: field)
    return true
  }

  /// Whether the values of a column are the same in almost all records that have the same of another.
  private func agrees(_ column: Int, by other: Int) -> Bool {
    var first: [UInt32: UInt32] = [:]
    var (same, different) = (0, 0)
    for (key, value) in zip(seen(other).prints, seen(column).prints) where value != 0 {
      guard let known = first[key] else {
        first[key] = value
        continue
      }
      if known == value { same += 1 } else { different += 1 }
    }
    return different * 50 <= same + different
  }
}
