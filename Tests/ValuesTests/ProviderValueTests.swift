import Testing
import Values

@Suite("What provider files hold")
struct ProviderValueTests {
  @Test(
    "is corrected where that is certain, blank where it says that there is none, and refused otherwise",
    arguments: [
      ("npi", "1234567893", "1234567893"), ("npi", "1073050910", "1073050910"),
      ("npi", "1234567890", "!not-an-npi"), ("npi", " 1234567893", "!not-an-npi"),
      ("npi", "3234567893", "!not-an-npi"), ("npi", "", "blank"),
      ("phone", "8607144820", "+18607144820"), ("phone", "(860) 549-2020 x12", "+18605492020"),
      ("phone", "860.714.4820", "+18607144820"), ("phone", "1-860-714-4820", "+18607144820"),
      ("phone", "+1 860 714 4820", "+18607144820"), ("phone", "+44 20 7946 0958", "+442079460958"),
      ("phone", "011442079460958", "+442079460958"), ("phone", "9999999999", "blank"),
      ("phone", "(000) 000-0000", "blank"), ("phone", "999999999", "blank"), ("phone", "", "blank"),
      ("phone", "0607144820", "!not-a-phone-number"), ("phone", "7144820", "!not-a-phone-number"),
      ("phone", "86071448201", "!not-a-phone-number"), ("phone", "CALL", "!not-a-phone-number"),
      ("phone", "8607144820 y 1", "!not-a-phone-number"), ("phone", "8607144820 x", "!not-a-phone-number"),
      ("phone", "+123", "!not-a-phone-number"), ("phone", "860714482\0", "!not-a-phone-number"),
      ("phone(ext)", "(860) 549-2020 x12", "+18605492020;ext=12"),
      ("phone(ext)", "8605492020", "+18605492020"),
      ("phone(ext)", "+44 20 7946 0958 #7", "+442079460958;ext=7"), ("phone(ext)", "9999999999 x1", "blank"),
      ("phone(ext)", "CALL", "!not-a-phone-number"),
      ("extension", "(860) 549-2020 x12", "12"), ("extension", "8605492020 Ext. 0045", "0045"),
      ("extension", "8605492020;ext=7", "7"), ("extension", "8605492020 #9", "9"),
      ("extension", "8605492020", "blank"), ("extension", "860-549-2020", "blank"),
      ("extension", "CALL", "!not-a-phone-number"),
      ("postal", "061051208", "06105"), ("postal", "06105", "06105"), ("postal", "04102-3134", "04102"),
      ("postal", "04102 3134", "04102"), ("postal", "41023134", "04102"), ("postal", "4102-3134", "04102"),
      ("postal", "K1A 0B1", "K1A 0B1"), ("postal", "75008PARIS", "75008PARIS"), ("postal", "1010", "1010"),
      ("postal", "", "blank"), ("postal", "0610\0", "!nul-byte"),
      ("zip", "6001", "06001"), ("zip", "601", "00601"), ("zip", "06001", "06001"),
      ("zip", "6001-1234", "06001"),
      ("zip", "60011234", "06001"), ("zip", "060011234", "06001"), ("zip", "01", "01"),
      ("zip", "600A", "600A"),
      ("zip", "K1A 0B1", "K1A 0B1"), ("zip", "", "blank"), ("zip4", "6001", "blank"),
      ("zip4", "6001-1234", "1234"),
      ("zip4", "061051208", "1208"), ("zip4", "04102-3134", "3134"), ("zip4", "41023134", "3134"),
      ("zip4", "06105", "blank"), ("zip4", "061050000", "blank"), ("zip4", "K1A 0B1", "blank"),
      ("state", "MA", "MA"), ("state", "ma", "MA"), ("state", "Massachusetts", "MA"),
      ("state", "district of columbia", "DC"), ("state", "ONTARIO", "ONTARIO"), ("state", "ZZ", "ZZ"),
      ("state", "", "blank"), ("country", "us", "US"), ("country", "USA", "US"),
      ("country", "United States of America", "US"), ("country", "CANADA", "CANADA"),
      ("unmarked", "87[3]", "87"), ("unmarked", "Optician [12]", "Optician"), ("unmarked", "[3]", "blank"),
      ("unmarked", "a []", "a []"), ("unmarked", "a]", "a]"), ("unmarked", "207W\u{A0}\u{A0} ", "207W"),
      ("date(MM/DD/YYYY)", "2020-02-28", "2020-02-28"), ("date(MM/DD/YYYY)", "00/00/0000", "blank"),
      ("date(MM/DD/YYYY)", "02/30/2020", "!impossible-date"),
    ])
  func cases(type: String, field: String, expected: String) {
    #expect(normalised(type, field) == expected, "\(type) of \(field.debugDescription)")
  }

  @Test(
    "has names in capitals and small letters, where their letter case says nothing",
    arguments: [
      ("person", "O'BRIEN", "O'Brien"), ("person", "o\u{2019}brien", "O\u{2019}Brien"),
      ("person", "D'ANDREA", "D'Andrea"), ("person", "AVE'LALLEMANT", "Ave'Lallemant"),
      ("person", "PARE'", "Pare'"), ("person", "MCDONALD", "McDonald"), ("person", "mcgee", "McGee"),
      ("person", "MC", "Mc"), ("person", "MACDONALD", "Macdonald"), ("person", "MACEY", "Macey"),
      ("person", "GALVEZ-PISCIONI", "Galvez-Piscioni"), ("person", "JONES-MCWILLIAMS", "Jones-McWilliams"),
      ("person", "VAN DER VOORT", "Van der Voort"), ("person", "MARIA DE LA CRUZ", "Maria de la Cruz"),
      ("person", "LE", "Le"), ("person", "VAN", "Van"), ("person", "VERGO, JR.", "Vergo, Jr."),
      ("person", "SMITH III", "Smith III"), ("person", "VI", "Vi"), ("person", "J.P.", "J.P."),
      ("person", "J", "J"), ("person", "mary  beth", "Mary Beth"), ("person", "McDonald", "McDonald"),
      ("person", "vanDyke", "vanDyke"), ("person", "MUÑOZ", "Muñoz"), ("person", "ŁUKASZ ŻAK", "Łukasz Żak"),
      ("person", "ÉMILE", "Émile"), ("person", "muñoz", "Muñoz"), ("person", "ΣΟΦΙΑ", "ΣΟΦΙΑ"),
      ("person", "1", "1"), ("person", " ", "blank"), ("person", "n/a", "blank"), ("person", "--", "blank"),
      ("person", "\u{2014}", "blank"), ("person", "<UNAVAIL>", "blank"), ("person", "NONE", "None"),
      ("person", "Nan", "Nan"), ("person", "Tbilisi", "Tbilisi"), ("person", "A\0B", "!nul-byte"),
      ("suffix", "JR.", "Jr."), ("suffix", "jr", "Jr."), ("suffix", ", Jr", "Jr."),
      ("suffix", "SENIOR", "Sr."),
      ("suffix", "III", "III"), ("suffix", "iii", "III"), ("suffix", "3RD", "III"), ("suffix", "2nd.", "II"),
      ("suffix", "ESQ.", "ESQ."), ("suffix", ".", "."), ("suffix", "", "blank"),
      ("credential", "M.D.", "MD"), ("credential", "M. D.", "MD"), ("credential", "md", "MD"),
      ("credential", "M.D", "MD"), ("credential", "MD.", "MD"), ("credential", "M.D.,PH.D", "MD, PhD"),
      ("credential", "MD, PHD", "MD, PhD"), ("credential", "PH. D.", "PhD"),
      ("credential", "PHARM D", "PharmD"),
      ("credential", "PHARM.D.; D.D.S.", "PharmD, DDS"), ("credential", "M.D.  J.D.", "MD, JD"),
      ("credential", "MD PC", "MD, PC"), ("credential", "M.S. CCC-SLP", "MS, CCC-SLP"),
      ("credential", "MSSS / LCSW", "MSSS, LCSW"), ("credential", "F.A.C.S.", "FACS"),
      ("credential", "P.A.-C", "PA-C"), ("credential", "P.A.C.", "PA-C"), ("credential", "AU.D.", "AuD"),
      ("credential", "R.PH.", "RPh"), ("credential", "PhD", "PhD"),
      ("credential", "LICSW,CEAP,BCD", "LICSW, CEAP, BCD"),
      ("credential", "PHYSICIAN ASSISTANT", "PHYSICIAN ASSISTANT"), ("credential", "Nurse", "Nurse"),
      ("credential", "M.D.1208", "M.D.1208"), ("credential", "M.D.FAAPMR", "M.D.FAAPMR"),
      ("credential", "AP RN  CS", "AP RN CS"), ("credential", ",", "blank"), ("credential", "", "blank"),
      ("credential", "Ärztin", "Ärztin"), ("credential", "M\0D", "!nul-byte"),
      ("organization", "HOSPITAL OF SAINT RAPHAEL", "Hospital of Saint Raphael"),
      ("organization", "THE SALUDA CENTER INC.", "The Saluda Center Inc."),
      ("organization", "FOX VALLEY OPEN MRI, LLC", "Fox Valley Open MRI, LLC"),
      ("organization", "BINSON'S HOSPITAL SUPPLIES, INC.", "Binson's Hospital Supplies, Inc."),
      ("organization", "BCS THERAPY SERVICES P.A.", "BCS Therapy Services P.A."),
      ("organization", "OPEN MRI OF ILLINOIS, L.L.C.", "Open MRI of Illinois, L.L.C."),
      ("organization", "A & A MEDICAL SUPPLY", "A & A Medical Supply"),
      ("organization", "R&P MEDICAL", "R&P Medical"),
      ("organization", "ST. JUDE HOSPITAL LTD.", "St. Jude Hospital Ltd."),
      ("organization", "2ND AVENUE MCLEAN CLINIC", "2nd Avenue McLean Clinic"),
      ("organization", "bioScrip PHARMACY", "bioScrip PHARMACY"), ("organization", "", "blank"),
      ("organization", "N/A", "blank"), ("organization", "- -", "blank"), ("credential", "MD/PHD", "MD, PhD"),
      ("credential", "M-D.", "MD"), ("credential", "SLP-CCC", "SLP-CCC"),
    ])
  func names(type: String, field: String, expected: String) {
    #expect(normalised(type, field) == expected, "\(type) of \(field.debugDescription)")
  }

  @Test(
    "stays as it is when it is normalised again",
    arguments: ["person", "suffix", "credential", "organization"])
  func again(type: String) {
    for field in [
      "O'BRIEN-MCDONALD VAN DER VOORT III", "jr", "M.D.,PH.D; P.A.-C", "ST. MARY'S OF THE LAKE P.A., LLC",
      "ŻÓŁĆ ÇA",
      "1ST CHOICE", "A", ". , -",
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
