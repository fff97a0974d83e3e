import PostgreSQL
import TestSupport
import Testing

/// Two lists of made-up people: a payer's, and one of who is on call.
@Suite("Records of different directories")
struct ProviderMatchTests {
  private static let payer = """
    Provider ID,NPI,Provider Type,Group Name,Provider Last,Provider First,Title,Office Address 1,Office Address 2,\
    Office City,Office State,Office Zip,Office Phone,Office Fax,Taxonomy
    JOHN1,,I,,Smith,John,MD,12 Main St,,Wexley,CT,6001,203-555-1000,,CARDIOLOGY
    JOHN2,,I,,Smith,John,MD,90 Oak Ave,,Wexley,CT,06001,203-555-2000,,CARDIOLOGY
    TWIN1,,I,,Lee,Anna,MD,5 Elm St,,Wexley,CT,06002,203-555-3000,,PEDIATRICS
    TWIN2,,I,,Lee,Amy,MD,5 Elm St,,Wexley,CT,06002,203-555-3000,,PEDIATRICS
    MARRIED,,I,,Marlow,Petra,MD,7 Lake Rd,,Wexley,CT,06003,203-555-4000,,PSYCHIATRY
    SWAPPED,,I,,O'Neil,Knut,MD,8 Hill Rd,,Wexley,CT,06004,203-555-5000,,UROLOGY
    NUMBER,1234567893,I,,Grey,Tessa,MD,2 Bay St,,Wexley,CT,06005,203-555-6000,,NEUROLOGY
    """
  private static let state = """
    License Number,Licensee Last Name,Licensee First Name,Address,City,State,Zip,Profession
    A1,SMITH,JOHN,,WEXLEY,CT,06001,CARDIOLOGY
    A2,SMITH,JOHN,12 MAIN STREET,WEXLEY,CT,06001,CARDIOLOGY
    B1,LEE,ANNA,5 ELM STREET,WEXLEY,CT,06002,PEDIATRICS
    D1,KNUT,ONEIL,8 HILL ROAD,WEXLEY,CT,06004,UROLOGY
    """
  private static let call = """
    Service,Last Name,First Name,On-Call Phone,NPI
    PSYCHIATRY,Vance,Petra,203-555-4000,
    NEUROLOGY,Unknown,Person,,1234567893
    PEDIATRICS,Lee,Anna,203-555-3000,
    """

  @Test("are one provider by the NPI, else by what speaks for it; what is unclear is reported as such")
  func matched() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    for (name, text) in [
      ("alder-plan-2025-11-15.csv", Self.payer), ("state-2025-11-01.csv", Self.state),
      ("mercy-2025-11-20.csv", Self.call),
    ] {
      try scratch.write(name, text + "\n")
      let run = try program.run("run", "directory-csv", scratch.path + "/" + name)
      #expect(run.status == 0, "\(run.errors)")
    }
    func found(_ record: String, in other: String) throws -> String? {
      try database.value(
        """
        SELECT string_agg(concat_ws(' ', CASE WHEN source_id = '\(record)' THEN other_source_id ELSE source_id END,
          score, array_to_string(reasons, '+'), CASE WHEN is_ambiguous THEN 'ambiguous' END), '; '
          ORDER BY score DESC, source_id)
        FROM directory.provider_match
        WHERE '\(record)' IN (source_id, other_source_id)
          AND (release LIKE '\(other)-2%' OR other_release LIKE '\(other)-2%')
        """)
    }
    // Of two John Smiths an address tells which; a ZIP code does not, from either side.
    #expect(
      try found("JOHN1", in: "state")
        == "A2 0.70 name+specialty+address; A1 0.60 name+specialty+ZIP code ambiguous")
    #expect(try found("JOHN2", in: "state")?.contains("ambiguous") == true)
    #expect(try found("TWIN1", in: "state") == "B1 0.70 name+specialty+address")
    #expect(try found("TWIN2", in: "state") == nil)
    #expect(try found("SWAPPED", in: "state") == "D1 0.65 names swapped+specialty+address")
    #expect(try found("TWIN1", in: "mercy") == "3 0.75 name+specialty+phone")
    // Another surname and nothing but the phone is too little.
    #expect(try found("MARRIED", in: "mercy") == nil)
    #expect(try found("NUMBER", in: "mercy") == "2 0.80 NPI+no name in common")
  }
}
