import Foundation
import TestSupport
import Testing

@Suite("Refused records that say something in their own tag")
struct OwnAttributeReplayTests {
  @Test("are exported with it, and can be corrected")
  func replay() throws {
    let own = try OwnProject(of: ["directory-csv"])
    try own.scratch.write(
      "acme-2025-11-20.xml",
      """
      <providers>
        <provider id="p1" npi="1234567893" type="I" lastName="EXLEY" firstName="ADA"><group id="g1">North LLC</group>
          <address city="Wexley" state="CT"/><address city="Marlow" state="PA"/></provider>
        <provider id="p2" type="Z" lastName="ZANE"/>
        <provider id="p3" type="Z"><organization>LAKE CLINIC</organization></provider>
      </providers>

      """)
    try own.load("directory-csv", "acme-2025-11-20.xml", options: ["--max-rejects", "2"]).succeeded()
    try own.command("rejects", "export", "1", "-o", own.path("bad.xml")).succeeded()
    #expect(
      try own.text(of: "bad.xml") == """
        <records>
        <record id="p2" type="Z" lastName="ZANE"/>
        <record id="p3" type="Z"><organization>LAKE CLINIC</organization></record>
        </records>

        """)
    try own.edit("bad.xml", "type=\"Z\" lastName", to: "type=\"I\" lastName")
    try own.edit("bad.xml", "type=\"Z\"", to: "type=\"O\"")
    try own.command("rejects", "replay", "1", own.path("bad.xml")).succeeded()
    #expect(
      try own.rows(
        """
        SELECT source_id, p.npi, entity_type, concat_ws(' ', first_name, last_name, organization),
          (SELECT string_agg(city, '+' ORDER BY slot) FROM directory.provider_address a WHERE a.source_id = p.source_id),
          (SELECT organization || identifier FROM directory.provider_affiliation a WHERE a.source_id = p.source_id)
        FROM directory.provider p JOIN directory.provider_name n USING (source_id) ORDER BY source_id
        """) == [
          "P1|1234567893|individual|Ada Exley|Wexley+Marlow|North LLCG1", "P2|-|individual|Zane|-|-",
          "P3|-|organization|Lake Clinic|-|-",
        ])
  }
}
