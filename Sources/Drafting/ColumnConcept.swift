/// What a header means by the words of its name, in whatever words: `Pager #`, `Office Telephone` and
/// `phone_number` are all a phone.
enum ColumnConcept {
  /// The meaning of a header or of a stored column's name; nil where no word is left of it.
  static func of(_ header: String) -> String? {
    var words = ColumnName.snakeCase(header, number: 0).split(separator: "_").map(String.init)
    words = words.flatMap { joined[$0] ?? [$0] }.map { synonyms[$0] ?? $0 }
    if words.contains("national") { return "npi" }
    let isPerson = words.contains { people.contains($0) }
    words.removeAll { noise.contains($0) || people.contains($0) }
    // A name's part is that, and a number or a code of something is the thing.
    if words.contains(where: parts.contains) { words.removeAll { $0 == "name" } }
    if words.count > 1 { words.removeAll { $0 == "id" || $0 == "1" } }
    if words.contains("npi") { return "npi" }
    // Doctor, and Provider Name.
    if words.isEmpty { return isPerson ? "name" : nil }
    return Set(words).sorted().joined(separator: " ")
  }

  private static let parts: Set<String> = [
    "last", "first", "middle", "suffix", "credential", "specialty", "organization", "city", "state",
  ]

  /// Who a list of providers is about.
  private static let people: Set<String> = [
    "provider", "physician", "doctor", "dr", "clinician", "practitioner", "prescriber", "licensee", "staff",
    "member", "who", "covering", "attending", "hospitalist", "person",
  ]

  /// Words that tell one list's columns apart and say nothing of what they are.
  private static let noise: Set<String> = [
    "of", "the", "on", "call", "office", "primary", "main", "contact", "business", "practice", "legal",
    "full", "column", "current", "work", "for", "and", "or", "n",
  ]

  /// One word for several.
  private static let joined: [String: [String]] = [
    "lastname": ["last"], "firstname": ["first"], "middlename": ["middle"], "lname": ["last"],
    "fname": ["first"], "mname": ["middle"], "fullname": ["name"], "zipcode": ["zip"],
    "phonenumber": ["phone"], "providername": ["provider", "name"], "address1": ["address", "1"],
    "address2": ["address", "2"], "addr1": ["address", "1"], "addr2": ["address", "2"],
  ]

  private static let synonyms: [String: String] = [
    "surname": "last", "family": "last", "given": "first", "forename": "first", "mi": "middle",
    "initial": "middle", "telephone": "phone", "tel": "phone", "mobile": "phone", "cell": "phone",
    "pager": "phone", "beeper": "phone", "callback": "phone", "ph": "phone", "reach": "phone", "number": "id",
    "no": "id", "num": "id", "nbr": "id", "identifier": "id", "code": "id", "key": "id",
    "speciality": "specialty", "specialties": "specialty", "service": "specialty", "department": "specialty",
    "dept": "specialty", "division": "specialty", "section": "specialty", "discipline": "specialty",
    "profession": "specialty", "taxonomy": "specialty", "addr": "address", "street": "address",
    "line": "address", "suite": "2", "town": "city", "province": "state", "st": "state", "postal": "zip",
    "postcode": "zip", "credentials": "credential", "degree": "credential", "degrees": "credential",
    "title": "credential", "qualification": "credential", "qualifications": "credential",
    "quals": "credential", "cred": "credential", "organisation": "organization", "facility": "organization",
    "group": "organization", "hospital": "organization", "clinic": "organization", "company": "organization",
    "licence": "license", "lic": "license",
  ]
}
