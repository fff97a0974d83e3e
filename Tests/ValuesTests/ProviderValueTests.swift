import Testing
import Values

@Suite("What provider files hold")
struct ProviderValueTests {
  private static let codes: TypeCases = [
    "npi": [
      ("1234567893", "1234567893"), ("1073050910", "1073050910"), ("1234567890", "!not-an-npi"),
      (" 1234567893", "!not-an-npi"), ("3234567893", "!not-an-npi"), ("", "blank"),
    ],
    "phone": [
      ("8607144820", "+18607144820"), ("(860) 549-2020 x12", "+18605492020"),
      ("860.714.4820", "+18607144820"), ("1-860-714-4820", "+18607144820"),
      ("+1 860 714 4820", "+18607144820"), ("+44 20 7946 0958", "+442079460958"),
      ("011442079460958", "+442079460958"), ("9999999999", "blank"), ("(000) 000-0000", "blank"),
      ("999999999", "blank"), ("", "blank"), ("0607144820", "!not-a-phone-number"),
      ("7144820", "!not-a-phone-number"), ("86071448201", "!not-a-phone-number"),
      ("CALL", "!not-a-phone-number"), ("8607144820 y 1", "!not-a-phone-number"),
      ("8607144820 x", "!not-a-phone-number"), ("+123", "!not-a-phone-number"),
      ("860714482\0", "!not-a-phone-number"),
    ],
    "phone(ext)": [
      ("(860) 549-2020 x12", "+18605492020;ext=12"), ("8605492020", "+18605492020"),
      ("+44 20 7946 0958 #7", "+442079460958;ext=7"), ("9999999999 x1", "blank"),
      ("CALL", "!not-a-phone-number"),
    ],
    "extension": [
      ("(860) 549-2020 x12", "12"), ("8605492020 Ext. 0045", "0045"), ("8605492020;ext=7", "7"),
      ("8605492020 #9", "9"), ("8605492020", "blank"), ("860-549-2020", "blank"),
      ("CALL", "!not-a-phone-number"),
    ],
    "postal": [
      ("061051208", "06105"), ("06105", "06105"), ("04102-3134", "04102"), ("04102 3134", "04102"),
      ("41023134", "04102"), ("4102-3134", "04102"), ("K1A 0B1", "K1A 0B1"), ("75008PARIS", "75008PARIS"),
      ("1010", "1010"), ("", "blank"), ("0610\0", "!nul-byte"),
    ],
    "zip": [
      ("6001", "06001"), ("601", "00601"), ("06001", "06001"), ("6001-1234", "06001"), ("60011234", "06001"),
      ("060011234", "06001"), ("01", "01"), ("600A", "600A"), ("K1A 0B1", "K1A 0B1"), ("", "blank"),
    ],
    "zip4": [
      ("6001", "blank"), ("6001-1234", "1234"), ("061051208", "1208"), ("04102-3134", "3134"),
      ("41023134", "3134"), ("06105", "blank"), ("061050000", "blank"), ("K1A 0B1", "blank"),
    ],
    "state": [
      ("MA", "MA"), ("ma", "MA"), ("Massachusetts", "MA"), ("district of columbia", "DC"),
      ("ONTARIO", "ONTARIO"), ("ZZ", "ZZ"), ("", "blank"),
    ],
    "country": [("us", "US"), ("USA", "US"), ("United States of America", "US")],
    "unmarked": [
      ("87[3]", "87"), ("Optician [12]", "Optician"), ("[3]", "blank"), ("a []", "a []"), ("a]", "a]"),
      ("207W\u{A0}\u{A0} ", "207W"),
    ],
    "date(MM/DD/YYYY)": [
      ("2020-02-28", "2020-02-28"), ("00/00/0000", "blank"), ("02/30/2020", "!impossible-date"),
    ],
  ]

  @Test(
    "is corrected where that is certain, blank where it says that there is none, and refused otherwise",
    arguments: codes)
  func corrected(type: String, values: [(field: String, expected: String)]) {
    check(type, values)
  }

  private static let names: TypeCases = [
    "person": [
      ("O'BRIEN", "O'Brien"), ("OWUSU - ABROKWA", "Owusu-Abrokwa"), ("Owusu - Abrokwa", "Owusu-Abrokwa"),
      ("O DOHERTY", "O Doherty"), ("O' DOHERTY", "O'Doherty"), ("VAN DO", "Van Do"),
      ("o\u{2019}brien", "O\u{2019}Brien"), ("D'ANDREA", "D'Andrea"),
      ("AVE'LALLEMANT", "Ave'Lallemant"), ("PARE'", "Pare'"), ("MCDONALD", "McDonald"), ("mcgee", "McGee"),
      ("MC", "Mc"), ("MACDONALD", "Macdonald"), ("MACEY", "Macey"), ("GALVEZ-PISCIONI", "Galvez-Piscioni"),
      ("JONES-MCWILLIAMS", "Jones-McWilliams"), ("VAN DER VOORT", "Van der Voort"),
      ("MARIA DE LA CRUZ", "Maria de la Cruz"), ("LE", "Le"), ("VAN", "Van"), ("VERGO, JR.", "Vergo, Jr."),
      ("SMITH III", "Smith III"), ("VI", "Vi"), ("J.P.", "J.P."), ("J", "J"), ("mary  beth", "Mary Beth"),
      ("McDonald", "McDonald"), ("vanDyke", "vanDyke"), ("MUÑOZ", "Muñoz"), ("ŁUKASZ ŻAK", "Łukasz Żak"),
      ("ÉMILE", "Émile"), ("muñoz", "Muñoz"), ("ΣΟΦΙΑ", "ΣΟΦΙΑ"), ("1", "1"), (" ", "blank"),
      ("n/a", "blank"), ("--", "blank"), ("\u{2014}", "blank"), ("<UNAVAIL>", "blank"), ("NONE", "None"),
      ("Nan", "Nan"), ("Tbilisi", "Tbilisi"), ("A\0B", "!nul-byte"),
    ],
    "suffix": [
      ("JR.", "Jr."), ("jr", "Jr."), (", Jr", "Jr."), ("SENIOR", "Sr."), ("III", "III"), ("iii", "III"),
      ("3RD", "III"), ("2nd.", "II"), ("ESQ.", "ESQ."), (".", "."), ("", "blank"),
    ],
    "credential": [
      ("M.D.", "MD"), ("M. D.", "MD"), ("md", "MD"), ("M.D", "MD"), ("MD.", "MD"), ("M.D.,PH.D", "MD, PhD"),
      ("MD, PHD", "MD, PhD"), ("PH. D.", "PhD"), ("PHARM D", "PharmD"), ("PHARM.D.; D.D.S.", "PharmD, DDS"),
      ("M.D.  J.D.", "MD, JD"), ("MD PC", "MD, PC"), ("M.S. CCC-SLP", "MS, CCC-SLP"),
      ("MSSS / LCSW", "MSSS, LCSW"), ("F.A.C.S.", "FACS"), ("P.A.-C", "PA-C"), ("P.A.C.", "PA-C"),
      ("AU.D.", "AuD"), ("R.PH.", "RPh"), ("PhD", "PhD"), ("LICSW,CEAP,BCD", "LICSW, CEAP, BCD"),
      ("PHYSICIAN ASSISTANT", "PHYSICIAN ASSISTANT"), ("Nurse", "Nurse"), ("M.D.1208", "M.D.1208"),
      ("M.D.FAAPMR", "M.D.FAAPMR"), ("AP RN  CS", "AP RN CS"), (",", "blank"), ("", "blank"),
      ("Ärztin", "Ärztin"), ("M\0D", "!nul-byte"), ("MD/PHD", "MD, PhD"), ("M-D.", "MD"),
      ("SLP-CCC", "SLP-CCC"),
    ],
    "organization": [
      ("HOSPITAL OF SAINT RAPHAEL", "Hospital of Saint Raphael"),
      ("THE SALUDA CENTER INC.", "The Saluda Center Inc."),
      ("FOX VALLEY OPEN MRI, LLC", "Fox Valley Open MRI, LLC"),
      ("BINSON'S HOSPITAL SUPPLIES, INC.", "Binson's Hospital Supplies, Inc."),
      ("BCS THERAPY SERVICES P.A.", "BCS Therapy Services P.A."),
      ("OPEN MRI OF ILLINOIS, L.L.C.", "Open MRI of Illinois, L.L.C."),
      ("A & A MEDICAL SUPPLY", "A & A Medical Supply"), ("R&P MEDICAL", "R&P Medical"),
      ("ST. JUDE HOSPITAL LTD.", "St. Jude Hospital Ltd."),
      ("2ND AVENUE MCLEAN CLINIC", "2nd Avenue McLean Clinic"), ("bioScrip PHARMACY", "bioScrip PHARMACY"),
      ("OSF HEALTHCARE SYSTEM", "OSF Healthcare System"), ("UF HEALTH", "UF Health"),
      ("UAB HOSPITAL", "UAB Hospital"), ("CHI ST. VINCENT", "CHI St. Vincent"),
      ("UW MEDICINE", "UW Medicine"),
      ("OHSU FAMILY MEDICINE", "OHSU Family Medicine"), ("AHN EMERGENCY GROUP", "AHN Emergency Group"),
      ("THE EYE AND EAR CLINIC", "The Eye and Ear Clinic"), ("NEW BAY DENTAL ARTS", "New Bay Dental Arts"),
      ("RAY LEE ACUPUNCTURE", "Ray Lee Acupuncture"), ("AMY KIM, MD", "Amy Kim, MD"),
      ("LA PAZ CLINIC", "La Paz Clinic"), ("SAN JUAN IPA", "San Juan IPA"), ("SSM HEALTH", "SSM Health"),
      ("AIDS RESOURCE CENTER", "AIDS Resource Center"), ("OB/GYN ASSOCIATES", "OB/GYN Associates"),
      ("MY DOCTOR INC", "My Doctor Inc"), ("ALL AGE CARE CO", "All Age Care Co"),
      ("osf healthcare", "OSF Healthcare"), ("OSF Healthcare", "OSF Healthcare"),
      ("", "blank"), ("N/A", "blank"), ("- -", "blank"),
    ],
  ]

  @Test(
    "has names in capitals and small letters, where their letter case says nothing",
    arguments: names)
  func letterCase(type: String, values: [(field: String, expected: String)]) {
    check(type, values)
  }

  @Test(
    "stays as it is when it is normalised again",
    arguments: ["person", "suffix", "credential", "organization"])
  func again(type: String) {
    for field in [
      "O'BRIEN-MCDONALD VAN DER VOORT III", "jr", "M.D.,PH.D; P.A.-C", "ST. MARY'S OF THE LAKE P.A., LLC",
      "ŻÓŁĆ ÇA", "1ST CHOICE", "A", ". , -",
    ] {
      let once = normalised(type, field)
      #expect(once == "blank" || normalised(type, once) == once, "\(type) of \(field)")
    }
  }

  @Test(
    "is read in the encoding of its file", arguments: [("person", "Muñoz"), ("organization", "Muñoz")])
  func encodings(type: String, expected: String) {
    let bytes: [UInt8] = [0x4D, 0x55, 0xD1, 0x4F, 0x5A]
    #expect(normalised(type, bytes, in: .windows1252) == expected)
    #expect(normalised(type, bytes, in: .utf8) == "!undecodable")
  }
}
