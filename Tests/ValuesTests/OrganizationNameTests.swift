import Testing
import Values

@Suite("A name that may be an organisation's")
struct OrganizationNameTests {
  @Test(
    "is known by its words",
    arguments: [
      ("MERCY HOSPITAL", true), ("Acme Home Care, Inc.", true), ("SMITH, JOHN, L.L.C.", true),
      ("Smith & Jones", true), ("THE DOCTORS", true), ("Lake Clinic", true), ("Best Rx P.C.", true),
      ("SMITH, ANNA, MD", false), ("Anna Smith", false), ("Zeta", false), ("", false),
      ("Smith, Anna, Doctor of Pharmacy", false), ("SMITH, JOHN, PA", false), ("Hospita, Ann", false),
      ("Peña, José", false),
    ] as [(String, Bool)])
  func known(name: String, isOne: Bool) {
    #expect(OrganizationName.isOne(Array(name.utf8).span) == isOne)
    if !name.isEmpty {
      #expect(normalised("name(entity)", name) == (isOne ? "organization" : "individual"))
      if !isOne { #expect(normalised("name(organization)", name) == "blank") }
    }
  }

  @Test("is written as the type organization writes it, and nobody's where nothing is there")
  func written() {
    #expect(normalised("name(organization)", " FOX  VALLEY MRI, LLC ") == "Fox Valley MRI, LLC")
    for part in ["organization", "entity"] {
      for text in ["", "N/A", "none"] { #expect(normalised("name(\(part))", text) == "blank") }
    }
  }
}
