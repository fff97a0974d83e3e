import TestSupport
import Testing

@Suite("Telephone numbers of a directory in FHIR")
struct FHIRPhoneTests {
  @Test("are read by the country of the record's address")
  func countries() throws {
    let desk = try Desk()
    let telecom =
      #""telecom":[{"system":"phone","value":"3145907269"},{"system":"fax","value":"+49 6371 9464"},{"system":"email","value":"a@example.org"}]"#
    func address(_ country: String) -> String { #"{"country":"\#(country)","city":"X"}"# }
    var lines: [String] = []
    for (number, country) in ["Germany", "DEU", "US", "PRI", ""].enumerated() {
      lines += [
        #"{"resourceType":"Practitioner","id":"p\#(number)",\#(telecom),"address":[\#(address(country))]}"#,
        #"{"resourceType":"Organization","id":"o\#(number)","address":[\#(address(country))],\#(telecom)}"#,
        #"{"resourceType":"Organization","id":"n\#(number)","type":[{"coding":[{"code":"ntwk"}]}],\#(telecom),"address":[\#(address(country))]}"#,
        #"{"resourceType":"Location","id":"l\#(number)","address":\#(address(country)),\#(telecom)}"#,
      ]
    }
    // Without an address a number is American.
    lines.append(#"{"resourceType":"Location","id":"l5",\#(telecom)}"#)
    try desk.scratch.write("acme-2025-11-20/all.ndjson", lines.joined(separator: "\n") + "\n")
    try desk.load("fhir-directory", "acme-2025-11-20").succeeded()
    for table in ["provider", "organization", "network", "practice_location"] {
      let rows = try desk.rows(
        """
        SELECT right(source_id, 1), string_agg(value, ' ' ORDER BY slot) FROM directory.\(table)_telecom
        GROUP BY 1 ORDER BY 1
        """)
      let (abroad, american) = (
        "3145907269 +4963719464 a@example.org", "+13145907269 +4963719464 a@example.org"
      )
      let expected = ["0|\(abroad)", "1|\(abroad)", "2|\(american)", "3|\(american)", "4|\(american)"]
      #expect(rows == expected + (table == "practice_location" ? ["5|\(american)"] : []), "\(table)")
    }
  }

  @Test("hang on a column of the record, which a layout has to have")
  func unknownColumn() throws {
    let own = try OwnProject(OwnDataset.files)
    let layout = "Pipelines/items/layouts/items.yaml"
    try own.edit(layout, "step: 1, type: text,", to: "step: 1, type: phone, country: land,")
    try own.command("pipelines", "check").failed(
      2, saying: "'land', on which 'mark' hangs, is no other column of the table")
    try own.edit(layout, "country: land", to: "country: kind")
    try own.command("pipelines", "check").succeeded()
  }
}
