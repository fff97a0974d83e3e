import Testing
import Values

@Suite("What provider files hold")
struct ProviderValueTests {
  @Test(
    "is mended where that is certain, blank where it says that there is none, and refused otherwise",
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
}
