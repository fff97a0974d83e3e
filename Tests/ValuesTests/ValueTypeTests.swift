import Testing
import Values

@Suite struct ValueTypeTests {
  /// The types of which a name alone says nothing, and what is in their parentheses.
  private static let forms = [
    "digits(5)", "decimal(8,2)", "decimal(38,38)", "decimal(5,0)", "json(-patientId,-medicalData)",
    "json(array)", "json(object,-patientId)", "date(MM/DD/YYYY)", "date(YYYYMMDD)", "flag(NA)", "phone(ext)",
    "name(last)", "title(suffix)", "title(credential)",
  ]

  @Test(
    arguments: ValueType.names.filter { !["digits", "decimal", "name", "title", "flag"].contains($0) } + forms
  )
  func `a type is written as it is read`(text: String) {
    #expect(ValueType(text)?.description == text)
  }

  @Test(arguments: [
    "", "Text", "string", "text()", "digits", "digits()", "digits(0)", "digits(39)", "digits(-1)",
    "digits(+5)", "digits(5", "digits(5)x", "digits 5", "decimal", "decimal(8)", "decimal(2,3)",
    "decimal(8,2,1)", "decimal(0,0)", "decimal(39,2)", "decimal(8,)", "decimal(,2)", "integer(4)", "date()",
    "date(DD/MM/YYYY)", "flag", "flag()", "flag(more than eight)", "(5)", "digits)5(",
  ])
  func `what is no type is refused`(text: String) {
    #expect(ValueType(text) == nil)
  }

  @Test func `blanks inside the parentheses do not matter`() {
    #expect(ValueType("decimal( 8, 2 )") == .decimal(precision: 8, scale: 2))
    #expect(ValueType("date(YYYY-MM-DD)") == .date(.iso))
  }
}
