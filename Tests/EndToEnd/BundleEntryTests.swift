import TestSupport
import Testing

/// What the entries of Bundles say beside their resources.
@Suite("Entries of Bundles")
struct BundleEntryTests {
  private static let json = #"""
    {"resourceType":"Bundle","type":"history","entry":[
    {"fullUrl":"https://ex.org/fhir/Location/7","resource":{"resourceType":"Location","name":"by its address"}},
    {"resource":{"name":"by a number","resourceType":"Location"},"fullUrl":"urn:uuid:0A1b"},
    {"fullUrl":"https://ex.org/fhir/Location/9","search":{"mode":"match"},
     "resource":{"resourceType":"Location","id":"l9","name":"by itself","photo":1}},
    {"fullUrl":"https://ex.org/fhir/Location/8","request":{"method":"DELETE","url":"Location/8"}},
    {"request":{"method":"DELETE","url":"Location/5"}},
    {"resource":{"resourceType":"Location","name":"nobody's"}}]}
    """#
  private static let xml = """
    <Bundle xmlns="http://hl7.org/fhir"><type value="history"/>
    <entry><fullUrl value="https://ex.org/fhir/Location/7"/>
      <resource><Location><name value="by its address"/></Location></resource></entry>
    <entry><resource><Location><name value="by a number"/></Location></resource>
      <fullUrl value="urn:uuid:0A1b"/></entry>
    <entry><fullUrl value="https://ex.org/fhir/Location/9"/><search><mode value="match"/></search>
      <resource><Location><id value="l9"/><name value="by itself"/><photo value="1"/></Location></resource></entry>
    <entry><fullUrl value="https://ex.org/fhir/Location/8"/>
      <request><method value="DELETE"/><url value="Location/8"/></request></entry>
    <entry><request><method value="DELETE"/><url value="Location/5"/></request></entry>
    <entry><resource><Location><name value="nobody's"/></Location></resource></entry></Bundle>
    """

  @Test(
    "give a resource the identifier that its address has, and deletions are counted",
    arguments: ["json", "xml"])
  func addresses(format: String) throws {
    let desk = try Desk()
    try desk.scratch.write("ex-2025-01-01/all.\(format)", format == "xml" ? Self.xml : Self.json)
    let run = try desk.load(
      "fhir-directory", "ex-2025-01-01", options: ["--allow-missing", "--max-rejects", "1"]
    ).succeeded()
    #expect(
      try desk.rows("SELECT source_id, name, source_line FROM directory.practice_location ORDER BY 3") == [
        "7|by its address|1", "0A1b|by a number|2", "l9|by itself|3",
      ])
    #expect(run.errors.contains("2 records of"), "\(run.errors)")
    #expect(run.errors.contains("are of kinds that no source takes: DELETE (2)"), "\(run.errors)")
    #expect(run.errors.contains("'Location.photo' (1)"), "\(run.errors)")
    #expect(
      try desk.rows("SELECT line, column_name, rule FROM rivulet.reject") == ["6|source_id|required"])
    #expect(
      try desk.value(
        "SELECT records_read || '|' || records_loaded || '|' || records_rejected || '|' || records_skipped FROM rivulet.source_file WHERE source = 'location'"
      ) == "6|3|1|2")
  }

  @Test(
    "that are Bundles themselves are refused, as their records would be missing", arguments: ["json", "xml"])
  func nested(format: String) throws {
    let desk = try Desk()
    try desk.scratch.write(
      "ex-2025-01-01/all.\(format)",
      format == "xml"
        ? """
        <Bundle xmlns="http://hl7.org/fhir"><entry><resource><Bundle><type value="searchset"/>
        <entry><resource><Practitioner><id value="1"/></Practitioner></resource></entry></Bundle></resource></entry>
        <entry><resource><Practitioner><id value="2"/></Practitioner></resource></entry></Bundle>
        """
        : #"""
        {"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Bundle","type":"searchset","entry":[
        {"resource":{"resourceType":"Practitioner","id":"1"}}]}},
        {"resource":{"resourceType":"Practitioner","id":"2"}}]}
        """#)
    try desk.load("fhir-directory", "ex-2025-01-01", options: ["--allow-missing"])
      .failed(3, saying: "1 bundle-in-a-bundle", "give the inner Bundles as files of their own")
    try desk.load("fhir-directory", "ex-2025-01-01", options: ["--allow-missing", "--max-rejects", "1"])
      .succeeded()
    #expect(try desk.rows("SELECT source_id FROM directory.provider") == ["2"])
    #expect(
      try desk.value("SELECT string_agg(DISTINCT rule, ' ') FROM rivulet.reject") == "bundle-in-a-bundle")
  }

  @Test("that were refused can be corrected and replayed", arguments: ["json", "xml"])
  func replayed(format: String) throws {
    let desk = try Desk()
    try desk.scratch.write("ex-2025-01-01/all.\(format)", format == "xml" ? Self.xml : Self.json)
    try desk.load("fhir-directory", "ex-2025-01-01", options: ["--allow-missing", "--max-rejects", "1"])
      .succeeded()
    let run = try #require(try desk.value("SELECT max(run) FROM rivulet.run"))
    try desk.command("rejects", "export", run, "-o", desk.path("fixed")).succeeded()
    if format == "xml" {
      try desk.edit("fixed", "<name value=\"nobody's\"/>", to: "<id value=\"l1\"/><name value=\"mine\"/>")
    } else {
      try desk.edit("fixed", "\"name\":\"nobody's\"", to: "\"id\":\"l1\",\"name\":\"mine\"")
    }
    try desk.command("rejects", "replay", run, desk.path("fixed")).succeeded()
    #expect(
      try desk.rows("SELECT source_id, name FROM directory.practice_location ORDER BY 1") == [
        "0A1b|by a number", "7|by its address", "l1|mine", "l9|by itself",
      ])
  }
}
