/// What a header says of its column. It decides between types that all values are of; no value is taken for
/// what it is not because of it.
struct ColumnHint {
  private let words: Set<String>
  private let name: String

  init(_ column: String) {
    name = column
    words = Set(column.split(separator: "_").map(String.init))
  }

  private func has(_ any: String...) -> Bool { any.contains { words.contains($0) } }
  private func says(_ any: String...) -> Bool { any.contains { name.contains($0) } }

  var isNPI: Bool { has("npi") || says("national_provider") }
  var isPhone: Bool {
    has("phone", "telephone", "tel", "fax", "mobile", "cell", "pager", "beeper") || says("phone", "telephone")
  }
  var isZIP: Bool { has("zip", "zipcode", "postal", "postcode") }
  var isState: Bool { has("state", "province", "st") }
  var isCountry: Bool { has("country") }
  var isCredential: Bool { has("credential", "credentials", "degree", "degrees") }
  var isSuffix: Bool { has("suffix") }
  var isPerson: Bool {
    has("surname")
      || has("name") && has("first", "last", "middle", "given", "family", "maiden", "provider", "physician")
      || says("firstname", "lastname", "middlename")
  }
  var isOrganization: Bool {
    has("name") && has("organization", "organisation", "facility", "group", "hospital", "clinic", "practice")
      || has("organization", "organisation", "facility") && words.count == 1
  }
  /// A number by which something is known: its zeros count, and nobody adds it up.
  var isIdentifier: Bool {
    has(
      "id", "code", "no", "num", "number", "nbr", "license", "licence", "ein", "tin", "ssn", "mrn", "account",
      "key")
      || name.hasSuffix("id") && name.count <= 12
  }
}
