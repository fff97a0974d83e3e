import Records
import TestSupport
import Testing
import Values

@Suite struct TreePathFilterTests {
  @Test("A filter compares texts whatever their case, where it says so")
  func letterCase() throws {
    let wanted = Wanted(fields: [
      "id[system~=urn:US-npi|urn:b].value", "id[system!~=URN:a|urn:us-NPI].value",
      "id[system=urn:US-npi].value",
    ])
    for (text, syntax) in [
      (
        #"{"id":[{"system":"urn:A","value":"1"},{"value":"2","system":"urn:us-npi"},{"system":"urn:é","value":"3"}]}"#,
        TreeFormat.Syntax.json
      ),
      (
        "<X><id><system value='urn:A'/><value value='1'/></id><id><system value='urn:us-npi'/>"
          + "<value value='2'/></id><id><system value='urn:é'/><value value='3'/></id></X>", .xml
      ),
    ] { #expect(try wanted.read(text, as: syntax).map(\.fields) == [["2", "3", ""]]) }
  }

  @Test(
    "A filter asks whether a day is before or after that of the plan, as far as it says",
    arguments: [
      ("", "in force"), (#","period":{"start":"2024-01-01"}"#, "in force"),
      (#","period":{"end":"2025"}"#, "in force"), (#","period":{"end":"2025-06-15"}"#, "in force"),
      (#","period":{"end":"2025-06-15T00:00:00Z"}"#, "in force"), (#","period":{"end":"2025-05"}"#, ""),
      (#","period":{"end":"2025-06-14T23:59:59Z"}"#, ""), (#","period":{"start":"2025-06-16"}"#, ""),
      (#","period":{"start":"2025-06"}"#, "in force"), (#","period":{"start":"2026","end":"2027"}"#, ""),
      (#","period":{"start":"2024","end":null}"#, "in force"),
    ])
  func days(_ period: String, _ expected: String) throws {
    let wanted = Wanted(fields: ["id[period.end>=day][period.start<=day].value"], day: "2025-06-15")
    #expect(
      try wanted.read(#"{"id":[{"value":"in force"\#(period)}]}"#, as: .json).map(\.fields) == [[expected]])
  }

  @Test("A path gives the name that it has been given, or else those that lead there")
  func names() throws {
    let wanted = Wanted(
      fields: [],
      groups: [(["a[url=x].b as first", "a[url!=x].b"], ["@", "c"])])
    let record = try wanted.read(
      #"{"a":[{"url":"y","b":{"c":"1"}},{"url":"x","b":{"c":"2"}}]}"#, as: .json)[0]
    #expect(record.groups == [[["first", "2"], ["a.b", "1"]]])
  }

  @Test("A path says what is wrong with its signs and its name")
  func mistakes() {
    for (text, mistake) in [
      ("a[b>=now]", TreePath.Mistake.badFilter("b>=now")), ("a[b<=day|night]", .badFilter("b<=day|night")),
      ("a[b>day]", .badFilter("b>day")), ("a[b~!=c]", .badFilter("b~!=c")), ("a[~=c]", .badFilter("~=c")),
      ("a as ", .badName("")), ("a as b c", .badName("b c")),
    ] {
      #expect(throws: mistake, "\(text)") { try TreePath(text) }
    }
  }
}
