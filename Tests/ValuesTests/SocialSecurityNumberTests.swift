import Testing

@testable import Values

@Suite("Social security numbers")
struct SocialSecurityNumberTests {
  private static let system = #""system":"http:\/\/hl7.org/fhir/sid/US-SSN","value":"#

  @Test(
    "are withheld where they have their form, and where they are named",
    arguments: [
      ("DOE,123-45-6789,x", "DOE,***-**-****,x"), ("123-45-6789", "***-**-****"),
      ("a123-45-6789b", "a***-**-****b"),
      // Nothing says what these are.
      ("123456789", "123456789"), ("123 45 6789", "123 45 6789"),
      // Others: a telephone number, a longer number, a date, a code of a plan, an identifier by hyphens.
      ("203-555-1234", "203-555-1234"), ("1123-45-6789", "1123-45-6789"), ("2025-01-31", "2025-01-31"),
      ("123-45-67890", "123-45-67890"), ("9-123-45-6789", "9-123-45-6789"),
      ("123-45-6789-1", "123-45-6789-1"),
      ("12345-6789", "12345-6789"), ("123-456789", "123-456789"),
      (system + "\"123456789\"", system + "\"*********\""),
      (system + "\"123 45 6789\"", system + "\"*** ** ****\""),
      (#"{"code":"SS"},"value":"123456789""#, #"{"code":"SS"},"value":"*********""#),
      (
        #"<system value='urn:oid:2.16.840.1.113883.4.1'/><value value='123456789'/>"#,
        #"<system value='urn:oid:2.16.840.1.113883.4.1'/><value value='*********'/>"#
      ),
      (
        #""system":"urn:oid:2.16.840.1.113883.4.12","value":"123456789""#,
        #""system":"urn:oid:2.16.840.1.113883.4.12","value":"123456789""#
      ),
      ("npi 1234567893 ssn 123456789", "npi 1234567893 ssn *********"), ("", ""),
    ])
  func withheld(text: String, expected: String) {
    var bytes = Array(text.utf8)
    SocialSecurityNumber.withhold(in: &bytes, areNamed: false)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
    #expect(SocialSecurityNumber.isWithheld(in: bytes.span) == (text != expected), "\(text)")
  }

  @Test(
    "are known by the names of columns",
    arguments: [
      ("SSN", true), ("Provider SSN#", true), ("ssn_4", true), ("SOCIAL SECURITY NO", true),
      ("LESSNESS", false),
      ("NPI", false), ("CLASSNAME", false),
    ])
  func names(name: String, isNamed: Bool) {
    #expect(SocialSecurityNumber.isNamed(in: Array(name.utf8)) == isNamed)
  }

  @Test("that follow one another are all withheld")
  func several() {
    var bytes = Array("123-45-6789,987-65-4321;111 22 3333".utf8)
    SocialSecurityNumber.withhold(in: &bytes, areNamed: true)
    #expect(String(decoding: bytes, as: UTF8.self) == "***-**-****,***-**-****;*** ** ****")
  }
}
