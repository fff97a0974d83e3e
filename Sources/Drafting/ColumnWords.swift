/// The words of headers: which of them are one, and what people shorten them to.
enum ColumnWords {
  /// The words of a header, abbreviations written out, each as the one that stands for all that mean the same.
  static func of(_ header: String) -> [String] {
    let words = ColumnName.snakeCase(header, number: 0).split(separator: "_").map(String.init)
    return words.flatMap { joined[$0] ?? parted($0) }.map { synonyms[$0] ?? $0 }
  }

  /// `addr1` as `addr` and `1`: a number that is written to a word that is known.
  private static func parted(_ word: String) -> [String] {
    let stem = String(word.prefix { $0.isLetter })
    let number = word.dropFirst(stem.count)
    guard !number.isEmpty, number.count == 1, synonyms[stem] != nil || known.contains(stem) else {
      return [word]
    }
    return [stem, String(number)]
  }

  /// Who a list of providers is about.
  static let people: Set<String> = [
    "provider", "physician", "doctor", "dr", "clinician", "practitioner", "prescriber", "licensee", "staff",
    "member", "who", "covering", "attending", "hospitalist", "person", "individual", "rendering",
    "applicant", "registrant", "supplier",
  ]

  /// Words that tell one list's columns apart and say nothing of what they are.
  static let noise: Set<String> = [
    "of", "the", "on", "call", "office", "primary", "main", "contact", "business", "practice", "legal",
    "full", "column", "current", "work", "for", "and", "or", "n", "location", "site", "physical", "service",
    "cms", "medicare", "text", "value", "field", "desc", "description",
    "healthcare",
  ]

  /// Words that with a name behind them are an organisation, and before an address say whose it is.
  static let places: Set<String> = ["business", "practice", "office"]

  /// Words that are no synonym of another, and have numbers written to them.
  private static let known: Set<String> = ["address", "phone", "specialty", "name", "city", "state", "zip"]

  /// One word for several.
  private static let joined: [String: [String]] = [
    "lastname": ["last"], "firstname": ["first"], "middlename": ["middle"], "lname": ["last"],
    "fname": ["first"], "mname": ["middle"], "lstname": ["last"], "frstname": ["first"],
    "midname": ["middle"], "lastnm": ["last"], "firstnm": ["first"], "midnm": ["middle"],
    "fullname": ["name"], "zipcode": ["zip"], "zipcd": ["zip"], "postalcode": ["zip"],
    "phonenumber": ["phone"], "phoneno": ["phone"], "telno": ["phone"], "telnum": ["phone"],
    "faxno": ["fax"], "faxnumber": ["fax"], "providername": ["provider", "name"],
    "provname": ["provider", "name"], "physicianname": ["physician", "name"], "drname": ["dr", "name"],
    "orgname": ["organization", "name"], "orgnm": ["organization", "name"],
    "busname": ["organization", "name"], "businessname": ["organization", "name"],
    "facname": ["organization", "name"], "facilityname": ["organization", "name"],
    "hospitalname": ["organization", "name"], "groupname": ["organization", "name"],
    "practicename": ["organization", "name"], "entityname": ["organization", "name"],
    "companyname": ["organization", "name"], "facilityid": ["organization", "id"],
    "hospitalid": ["organization", "id"], "orgid": ["organization", "id"], "providerid": ["provider", "id"],
    "provid": ["provider", "id"], "provno": ["provider", "id"], "memberid": ["member", "id"],
    "licenseno": ["license", "id"], "licensenumber": ["license", "id"], "licno": ["license", "id"],
    "licnum": ["license", "id"], "licnbr": ["license", "id"], "npino": ["npi"], "npinumber": ["npi"],
    "npinum": ["npi"], "npiid": ["npi"], "citytown": ["city"], "statecode": ["state"], "statecd": ["state"],
    "countycode": ["county"], "suite": ["address", "2"], "ste": ["address", "2"], "unit": ["address", "2"],
    "streetaddress": ["address"], "mailaddress": ["mailing", "address"],
  ]

  private static let synonyms: [String: String] = [
    // Parts of names.
    "surname": "last", "family": "last", "lst": "last", "lnm": "last", "given": "first", "forename": "first",
    "frst": "first", "fst": "first", "fnm": "first", "mi": "middle", "initial": "middle", "mid": "middle",
    "mdl": "middle", "nm": "name", "nme": "name", "names": "name", "suff": "suffix", "sfx": "suffix",
    "suf": "suffix", "credentials": "credential", "degree": "credential", "degrees": "credential",
    "title": "credential", "qualification": "credential", "qualifications": "credential",
    "quals": "credential", "cred": "credential", "creds": "credential", "crdntl": "credential",
    // Who.
    "organisation": "organization", "org": "organization", "facility": "organization",
    "fac": "organization", "fclty": "organization", "group": "organization", "grp": "organization",
    "hospital": "organization", "hosp": "organization", "clinic": "organization",
    "company": "organization", "agency": "organization", "pharmacy": "organization",
    "employer": "organization", "dba": "organization", "entity": "organization",
    "institution": "organization",
    "prov": "provider", "prvdr": "provider", "prv": "provider", "phys": "physician", "ind": "individual",
    "indv": "individual", "doc": "doctor", "providers": "provider", "physicians": "physician",
    // How they are reached.
    "telephone": "phone", "tel": "phone", "mobile": "phone", "cell": "phone", "pager": "phone",
    "beeper": "phone", "callback": "phone", "ph": "phone", "phn": "phone", "phne": "phone",
    "reach": "phone", "facsimile": "fax", "addr": "address", "adr": "address", "adrs": "address",
    "addrs": "address", "addresses": "address", "street": "address", "str": "address", "strt": "address",
    "line": "address", "ln": "address", "town": "city",
    "cty": "city", "municipality": "city", "province": "state", "st": "state", "stt": "state",
    "postal": "zip", "postcode": "zip", "zp": "zip", "cntry": "country", "cnty": "county",
    // What they do.
    "speciality": "specialty", "specialties": "specialty", "spec": "specialty", "spclty": "specialty",
    "spcl": "specialty", "department": "specialty", "dept": "specialty", "division": "specialty",
    "section": "specialty", "discipline": "specialty", "profession": "specialty", "taxonomy": "specialty",
    "gender": "sex", "gndr": "sex", "gen": "sex", "licence": "license", "lic": "license", "lcns": "license",
    "licensure": "license",
    // What they are known by.
    "number": "id", "no": "id", "num": "id", "nbr": "id", "identifier": "id", "identification": "id",
    "code": "id", "cd": "id", "key": "id", "ids": "id", "mail": "mailing", "pri": "primary",
    "prim": "primary", "typ": "type", "tp": "type", "dt": "date", "sec": "secondary",
  ]
}
