import Testing
import Values

@Suite("Phones, ZIP codes and countries of addresses anywhere")
struct PlaceValueTests {
  private static let values: TypeCases = [
    "phone": [
      ("(+1) 734-677-7777", "+17346777777"), ("tel:+1-734-677-7777", "+17346777777"),
      ("TEL: 734.677.7777", "+17346777777"), ("tel:+1-201-555-0123;ext=12", "+12015550123"),
      ("fax:734-677-7777", "+17346777777"), ("+1 314 590 726", "!not-a-phone-number"),
      ("+1 114 590 7269", "!not-a-phone-number"), ("(+49) 6371 9464", "+4963719464"),
      ("+0 314 590 7269", "!not-a-phone-number"), ("734+6777777", "!not-a-phone-number"),
      ("(+)", "!not-a-phone-number"), ("tel:", "!not-a-phone-number"),
      ("004963719464100", "!not-a-phone-number"),
    ],
    "phone(ext)": [("tel:+1-201-555-0123;ext=12", "+12015550123;ext=12")],
    "extension": [("tel:+1-201-555-0123;ext=12", "12"), ("tel:2015550123", "blank")],
    "zip": [
      ("926", "00926"), ("9261234", "00926"), ("926-1234", "00926"), ("501", "00501"), ("499", "499"),
      ("100", "100"), ("1001234", "1001234"), ("100-1234", "100-1234"), ("6001", "06001"),
    ],
    "postal": [("926", "926"), ("9261234", "9261234"), ("530-0001", "530-0001")],
    "zip4": [("9261234", "1234"), ("926-1234", "1234"), ("1001234", "blank"), ("926", "blank")],
    "country": [
      ("DEU", "DE"), ("deu", "DE"), ("Germany", "DE"), ("Deutschland", "DE"), ("MEX", "MX"),
      ("Côte d'Ivoire", "CI"), ("COTE D'IVOIRE", "CI"), ("Türkiye", "TR"), ("Viet Nam", "VN"),
      ("Korea, Republic of", "KR"), ("South Korea", "KR"), ("Puerto Rico", "PR"), ("PRI", "PR"),
      ("U.S. Virgin Islands", "VI"), ("VIR", "VI"), ("Guam", "GU"), ("Canada", "CA"), ("CAN", "CA"),
      ("XQX", "XQX"), ("Atlantis", "Atlantis"), ("usa", "US"), ("England", "GB"), ("GBR", "GB"),
    ],
    "state": [
      ("Puerto Rico", "PR"), ("PRI", "PR"), ("U.S. Virgin Islands", "VI"), ("Virgin Islands, U.S.", "VI"),
      ("Palau", "PW"), ("Marshall Islands", "MH"), ("Armed Forces Pacific", "AP"), ("D.C.", "DC"),
    ],
  ]

  @Test("are written in one way where it is certain, and kept otherwise", arguments: values)
  func normalisedValues(type: String, values: [(field: String, expected: String)]) {
    check(type, values)
  }

  private static let abroad: TypeCases = [
    "phone": [
      ("3145907269", "3145907269"), ("06371 9464 100", "06371 9464 100"),
      ("+49 6371 9464", "+4963719464"), ("00 49 6371 9464", "+4963719464"),
      ("011 49 6371 9464 100", "+4963719464100"), ("+1 734 677 7777", "+17346777777"), ("", "blank"),
      ("9999999999", "9999999999"), ("call us", "call us"),
    ],
    "phone(ext)": [
      ("+49 6371 9464 x12", "+4963719464;ext=12"), ("06371 9464 x12", "06371 9464 x12"),
      ("info@example.org", "info@example.org"),
    ],
    "extension": [("+49 6371 9464 x12", "12"), ("06371 9464 x12", "blank"), ("3145907269", "blank")],
    "zip4": [("530-0001", "blank")], "zip": [("6001", "6001")], "state": [("Bayern", "Bayern")],
  ]

  @Test("keep what they mean where the rules of another country hold", arguments: abroad)
  func elsewhere(type: String, values: [(field: String, expected: String)]) throws {
    let type = try #require(ValueType(type))
    for (field, expected) in values {
      var scratch: [UInt8] = []
      let bytes = Array(field.utf8)
      let found =
        switch type.normaliseElsewhere(bytes.span, scratch: &scratch) {
        case .slice(let range): String(decoding: bytes[range], as: UTF8.self)
        case .scratch: String(decoding: scratch, as: UTF8.self)
        case .blank: "blank"
        case .invalid(let failure): "!\(failure.name)"
        }
      #expect(found == expected, "\(type) of \(field)")
    }
  }

  private static let titles: TypeCases = [
    "title(suffix)": [
      ("MD", "blank"), ("Jr. MD", "Jr."), ("III, PhD, MPH", "III"), ("JR", "Jr."), ("Esq.", "Esq."),
      ("", "blank"), ("of Padua", "of Padua"), ("M.D.", "blank"), ("COTA/L", "blank"),
    ],
    "title(credential)": [
      ("MD", "MD"), ("Jr. MD", "MD"), ("III, PhD, MPH", "PhD, MPH"), ("JR", "blank"), ("Esq.", "blank"),
      ("M.D.,PH.D", "MD, PhD"), ("LRSW", "LRSW"), ("M. D.", "MD"), ("Jr., M.D.", "MD"), ("COTA/L", "COTA/L"),
    ],
  ]

  @Test("are apart from what is behind a name, and a credential is no suffix", arguments: titles)
  func title(type: String, values: [(field: String, expected: String)]) {
    check(type, values)
  }
}
