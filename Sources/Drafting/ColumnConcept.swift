/// What a header means by the words of its name, in whatever words: `Pager #`, `Office Telephone` and
/// `phone_number` are all a phone, `lst_nm` a last name, and `Facility ID` no facility's name.
enum ColumnConcept {
  /// The meaning of a header or of a stored column's name; nil where no word is left of it.
  static func of(_ header: String) -> String? {
    // A service is what somebody does where nothing else is said.
    if ColumnName.snakeCase(header, number: 0) == "service" { return "specialty" }
    var words = ColumnWords.of(header)
    if words.contains("ccn") || words.contains("certification") && words.contains("id") { return "ccn id" }
    if words.contains("national"), words.contains("id") || words.contains("provider") { words.append("npi") }
    let isPerson = words.contains(where: ColumnWords.people.contains)
    if words.contains("npi") { return npi(words, isPerson: isPerson) }
    if let license = license(words) { words = license }
    // The name of a business; its address and telephone number are the provider's.
    let isOrganization =
      words.contains("organization")
      || words.contains("name") && !isPerson && words.contains(where: ColumnWords.places.contains)
    words.removeAll { ColumnWords.noise.contains($0) || ColumnWords.people.contains($0) }
    words = withoutAddressOfParts(words)
    if words.contains(where: subjects.contains) {
      // The number of an address is no address, and that of a telephone is one.
      let isNumber = words.contains("id") && !words.contains(where: numbered.contains)
      words.removeAll { $0 == "organization" || $0 == "1" || $0 == "name" || $0 == "id" && !isNumber }
    } else if words.contains(where: parts.contains) {
      words.removeAll { $0 == "name" || $0 == "id" }
    } else if isOrganization {
      words = ["organization"] + words.filter { $0 != "organization" && $0 != "name" && $0 != "pac" }
    } else {
      words.removeAll { $0 == "pac" || $0 == "1" }
      if words.count > 1 { words.removeAll { $0 == "name" } }
    }
    // Doctor, and Provider Name.
    if words.isEmpty { return isPerson ? "name" : nil }
    return Set(words).sorted().joined(separator: " ")
  }

  /// Whether somebody is known by what a concept names, a number or a code: not an address or a plan.
  static func isIdentifier(_ concept: String?) -> Bool {
    let words = Set((concept ?? "").split(separator: " ").map(String.init))
    return words.contains("id") && words.isDisjoint(with: ["address", "plan", "network"])
  }

  /// Whether it is an organisation's.
  static func isOfOrganization(_ concept: String?) -> Bool {
    concept?.split(separator: " ").contains { $0 == "organization" || $0 == "ccn" } ?? false
  }

  /// What is of a provider, and its number, its name or whose it is says nothing more.
  private static let subjects: Set<String> = [
    "phone", "fax", "zip", "state", "city", "address", "country", "county", "specialty", "email", "url",
    "website", "date",
  ]

  /// The city of an address is a city, `st_adr` the street, and its first line the address itself.
  private static func withoutAddressOfParts(_ words: [String]) -> [String] {
    guard let address = words.firstIndex(of: "address") else { return words }
    guard let part = words.firstIndex(where: partsOfAddress.contains) else {
      return words.filter { $0 != "first" }.map { $0 == "second" ? "2" : $0 }
    }
    return words.filter { $0 != (address < part ? "address" : words[part]) }
  }

  private static let partsOfAddress: Set<String> = [
    "city", "state", "zip", "country", "county", "phone", "fax",
  ]

  /// Those whose number or code is the thing itself.
  private static let numbered: Set<String> = [
    "phone", "fax", "zip", "state", "specialty", "country", "county",
  ]

  private static let parts: Set<String> = ["last", "first", "middle", "suffix", "credential"]

  /// That of whom the list is about, unless it is said to be another's.
  private static func npi(_ words: [String], isPerson: Bool) -> String {
    if words.contains("organization"), !isPerson { return "npi organization" }
    let others = words.filter { ["billing", "referring", "supervising", "ordering", "parent"].contains($0) }
    return (["npi"] + others).sorted().joined(separator: " ")
  }

  /// A licence's number, which a state may have given: `State License No`, `License #`, but not `License State`.
  private static func license(_ words: [String]) -> [String]? {
    guard let license = words.firstIndex(of: "license") else { return nil }
    let rest = words.filter {
      $0 != "license" && $0 != "id" && $0 != "state" && !ColumnWords.people.contains($0)
        && !ColumnWords.noise.contains($0)
    }
    guard rest.isEmpty else { return nil }
    if let state = words.firstIndex(of: "state"), !words.contains("id"),
      state > license || words.contains("of")
    {
      return ["license", "state of it"]
    }
    return ["license", "id"]
  }
}
