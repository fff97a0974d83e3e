import Foundation
import TestSupport
import Testing

/// Lists of made-up providers in forms that nobody has written a layout for.
@Suite("A list that a layout is drafted for")
struct DraftedListTests {
  private let own: OwnProject

  init() throws { own = try OwnProject(of: ["directory-csv"]) }

  private func draft(_ file: String, _ options: String...) throws -> Program.Outcome {
    try own.command(
      "pipelines", "new", "--into", "directory-csv", "--from", own.path(file), options: options)
  }

  /// Every value of a release, a line for each provider.
  private func values(_ release: String) throws -> [String] {
    func nested(_ table: String, _ columns: String) -> String {
      """
      (SELECT string_agg(concat_ws('/', \(columns)), ' + ' ORDER BY slot) FROM directory.\(table) c
        WHERE (c.release, c.source_id) = (p.release, p.source_id))
      """
    }
    return try own.rows(
      """
      SELECT concat_ws('|', p.source_id, p.npi, p.entity_type,
        \(nested("provider_name", "last_name, first_name, middle_name, suffix, credential, organization")),
        \(nested("provider_address", "line_1, line_2, city, state, postal_code, zip4, phone, fax")),
        \(nested("provider_taxonomy", "taxonomy, license")),
        \(nested("provider_affiliation", "organization, identifier")))
      FROM directory.provider p WHERE release = '\(release)' ORDER BY source_line
      """)
  }

  private static let lists: [(file: String, text: String, expected: [String])] = [
    (
      "hospitals-2025-11-20.csv",
      """
      Facility ID,Facility Name,Address,City/Town,State,ZIP Code,County/Parish,Telephone Number,Hospital Type
      010001,SOUTHEAST HEALTH MEDICAL CENTER,1 Ross Circle,DOTHAN,AL,36301,HOUSTON,(334) 555-8701,Acute
      01014F,VA CENTRAL ALABAMA HCS,2 Hill Rd,MONTGOMERY,AL,36109,MONTGOMERY,(334) 555-4670,Veterans
      """,
      [
        "010001|organization|Southeast Health Medical Center|1 Ross Circle/DOTHAN/AL/36301/+13345558701",
        "01014F|organization|VA Central Alabama HCS|2 Hill Rd/MONTGOMERY/AL/36109/+13345554670",
      ]
    ),
    (
      "licences-2025-11-20.csv",
      """
      LIC_NO,LIC_TYPE,LST_NM,FRST_NM,MID_NM,SFX,ADR_LN_1,ADR_LN_2,CTY,ST,ZIP_CD,TEL_NUM,LIC_EXP_DT
      ME00123,Physician,O'BRIEN,MARY,ANN,,12 Main St,Apt 2,Tampa,FL,33601,8135551000,2026-01-31
      RN98765,Nurse,VAN DER VOORT,JOHN,,JR,1 Elm St,,Miami,FL,331011234,3055552000,2026-04-30
      """,
      [
        "ME00123|individual|O'Brien/Mary/Ann|12 Main St/Apt 2/Tampa/FL/33601/+18135551000|PHYSICIAN/ME00123",
        "RN98765|individual|Van der Voort/John/Jr.|1 Elm St/Miami/FL/33101/1234/+13055552000|NURSE/RN98765",
      ]
    ),
    (
      "exclusions-2025-11-20.csv",
      """
      LASTNAME,FIRSTNAME,MIDNAME,BUSNAME,SPECIALTY,NPI,CITY,STATE,ZIP
      ,,,#1 MARKETING SERVICE INC,SOBER HOME,0000000000,Brooklyn,NY,11235
      AABY,JEFFREY,S,,NURSE,0000000000,Seattle,WA,98101
      BAKER,ANN,,BAKER CLINIC,,1234567893,Miami,FL,33101
      """,
      [
        "1|organization|#1 Marketing Service Inc|Brooklyn/NY/11235|SOBER HOME",
        "2|individual|Aaby/Jeffrey/S|Seattle/WA/98101|NURSE",
        "3|1234567893|individual|Baker/Ann|Miami/FL/33101|Baker Clinic",
      ]
    ),
    (
      "sanctions-2025-11-20.csv",
      """
      Provider Name,Provider Type,NPI,City
      "SMITH, JOHN A, MD",Physician,1234567893,Dallas
      ACME HOME HEALTH LLC,Home Health,N/A,Austin
      "BEST CARE PHARMACY, INC.",Pharmacy,N/A,Waco
      """,
      [
        "1|1234567893|individual|Smith/John/A/MD|Dallas|PHYSICIAN",
        "2|organization|Acme Home Health LLC|Austin|HOME HEALTH",
        "3|organization|Best Care Pharmacy, Inc.|Waco|PHARMACY",
      ]
    ),
    (
      "roster-2025-11-20.csv",
      """
      Provider ID,Type,Prov Lst Nm,Prov Fst Nm,Org Nm,Taxonomy Cd,Str Addr,Suite,Cty,St,Zip,Ph No,Fax No
      P1,I,Exley,Ada,North Clinic,207R00000X,1 Main St,,Wexley,CT,06001,203-555-1000,203-555-1001
      P2,O,,,North Clinic,261QP2300X,1 Main St,Ste 2,Wexley,CT,6001,203-555-1000,
      """,
      [
        "P1|individual|Exley/Ada|1 Main St/Wexley/CT/06001/+12035551000/+12035551001|207R00000X|North Clinic",
        "P2|organization|North Clinic|1 Main St/Ste 2/Wexley/CT/06001/+12035551000|261QP2300X",
      ]
    ),
    (
      "sites-2025-11-20.csv",
      """
      Facility Name,Last Name,First Name,Group Name,Group ID,City
      ELM HOSPITAL,,,ELM GROUP LLC,900,Wexley
      ELM HOSPITAL,EXLEY,ADA,ELM GROUP LLC,900,Wexley
      """,
      ["1|organization|Elm Hospital|Wexley", "2|individual|Exley/Ada|Wexley|Elm Group LLC/900"]
    ),
    (
      "pharmacies-2025-11-20.csv",
      """
      Provider Name,Group ID,City
      "SMITH, JOHN A, MD",900,Dallas
      ACME PHARMACY LLC,900,Austin
      """,
      ["1|individual|Smith/John/A/MD|Dallas|900", "2|organization|Acme Pharmacy LLC|Austin"]
    ),
    (
      "both-2025-11-20.xml",
      """
      <providers>
        <provider id="p1" last="EXLEY" first="ADA" facility="NORTH CLINIC" city="Wexley"/>
        <provider id="p2" last="" first="" facility="SOUTH CLINIC" city="Marlow"/>
      </providers>
      """,
      ["P1|individual|Exley/Ada|Wexley|North Clinic", "P2|organization|South Clinic|Marlow"]
    ),
    (
      "practices-2025-11-20.csv",
      """
      NPI,Ind_PAC_ID,Provider Last Name,frst_nm,mid_nm,suff,gndr,Cred,pri_spec,org_nm,org_pac_id,adr_ln_1,cty,st,zip
      1234567893,11,EXLEY,ADA,B,,F,MD,CARDIOLOGY,NORTH GROUP LLC,900,1 Main St,Wexley,CT,060011234
      1234567893,11,EXLEY,ADA,B,,F,MD,CARDIOLOGY,SOUTH GROUP LLC,901,7 Lake Rd,Marlow,PA,19101
      1073050910,22,ZANE,BO,,JR.,M,DO,UROLOGY,,,2 Elm St,Wexley,CT,06001
      1234567893,11,EXLEY,ADA,B,,F,MD,CARDIOLOGY,NORTH GROUP LLC,900,1 Main St,Wexley,CT,060011234
      """,
      [
        "1234567893|1234567893|individual|Exley/Ada/B/MD|1 Main St/Wexley/CT/06001/1234 + 7 Lake Rd/Marlow/PA/19101"
          + "|CARDIOLOGY|North Group LLC/900 + South Group LLC/901",
        "1073050910|1073050910|individual|Zane/Bo/Jr./DO|2 Elm St/Wexley/CT/06001|UROLOGY",
      ]
    ),
    (
      "short-2025-11-20.csv",
      "NPI,Last Name,First Name,Phone,Suffix\n1234567893,Exley,Ada,203-555-1000\n1073050910,Zane,Bo,203-555-1001,Jr.\n",
      [
        "1|1234567893|individual|Exley/Ada|+12035551000", "2|1073050910|individual|Zane/Bo/Jr.|+12035551001",
      ]
    ),
    (
      // Of which country a number and a ZIP code are says the address; MD is no suffix.
      "abroad-2025-11-20.csv",
      """
      NPI,Last Name,First Name,Suffix,Address,City,State,Zip,Country,Phone
      1234567893,Exley,Ada,MD,1 Elm Str,Landstuhl,Rheinland-Pfalz,66849,DE,3145907269
      1073050910,Zane,Bo,Jr.,2 Elm St,Wexley,CT,06001,US,3145907269
      """,
      [
        "1|1234567893|individual|Exley/Ada/MD|1 Elm Str/Landstuhl/Rheinland-Pfalz/66849/3145907269",
        "2|1073050910|individual|Zane/Bo/Jr.|2 Elm St/Wexley/CT/06001/+13145907269",
      ]
    ),
    (
      "attributes-2025-11-20.xml",
      """
      <providers day="2025-11-20">
        <provider id="p1" npi="1234567893" last="EXLEY" first="ADA &amp; BO" city="Wexley"/>
        <provider id="p2" npi="1073050910" last="ZANE" first="CY" city="Marlow"/>
      </providers>
      """,
      ["P1|1234567893|individual|Exley/Ada & Bo|Wexley", "P2|1073050910|individual|Zane/Cy|Marlow"]
    ),
    (
      "children-2025-11-20.xml",
      """
      <Directory><Header><Day>2025-11-20</Day></Header><Providers>
      <Provider><NPI>1234567893</NPI><Owner><LastName>WRONG</LastName></Owner><LastName>EXLEY</LastName>
        <FirstName>ADA</FirstName><Address><Street>1 Main St</Street><City>Wexley</City></Address></Provider>
      <Provider><NPI>1073050910</NPI><LastName>ZANE</LastName><FirstName>BO</FirstName></Provider>
      </Providers></Directory>
      """,
      [
        "1|1234567893|individual|Exley/Ada|1 Main St/Wexley", "2|1073050910|individual|Zane/Bo",
      ]
    ),
    (
      "latin-2025-11-20.csv",
      "Médico;NPI;Phone\nPEÑA, JOSÉ;1234567893;(787) 555-1000\n\"NÚÑEZ, ANA, MD\";1073050910;\n",
      ["1|1234567893|individual|Peña/José|+17875551000", "2|1073050910|individual|Núñez/Ana/MD"]
    ),
  ]

  @Test("has right names and identifiers, of whomever it is and whatever it calls its columns")
  func forms() throws {
    for (file, text, expected) in Self.lists {
      let isLatin = file.hasPrefix("latin")
      let bytes = try #require((text + "\n").data(using: isLatin ? .isoLatin1 : .utf8))
      try own.scratch.write(file, bytes: Array(bytes))
      try draft(file).succeeded()
      try own.load("directory-csv", file).succeeded()
      #expect(try values(String(file.split(separator: ".")[0])) == expected, "\(file)")
    }
    try own.command("pipelines", "check").succeeded()
  }

  @Test("says what is not certain, and is what the user says of it")
  func doubts() throws {
    try own.scratch.write("odd-2025-11-20.csv", "Who,Tag\nZeta Alpha,17\nOmega Beta,18\n")
    try own.scratch.write("bare-2025-11-20.csv", "NPI,Nominal,City\n1234567893,Ada Exley,Wexley\n")
    // Nobody would know whom it is about.
    try draft("bare-2025-11-20.csv").failed(3, saying: "--column 'HEADER=provider name'")
    #expect(!FileManager.default.fileExists(atPath: own.path("Pipelines/directory-csv/layouts/list")))
    try draft("bare-2025-11-20.csv", "--column", "Nominl=provider name").failed(
      3, saying: "no column 'Nominl'")
    try draft("bare-2025-11-20.csv", "--column", "Nominal=provider name", "--column", "City=none").succeeded()
    try own.load("directory-csv", "bare-2025-11-20.csv").succeeded()
    #expect(try values("bare-2025-11-20") == ["1|1234567893|individual|Exley/Ada"])

    let doubt = "'Who' is taken for names of people: no word of them tells"
    try draft("odd-2025-11-20.csv").succeeded(showing: "not certain: \(doubt)")
    let file = "Pipelines/directory-csv/layouts/list/odd.yaml"
    #expect(try own.text(of: file).contains("# Not certain:\n#   \(doubt)\n"))
    try FileManager.default.removeItem(atPath: own.path(file))
    try draft("odd-2025-11-20.csv", "--records", "organizations").succeeded()
    try own.load("directory-csv", "odd-2025-11-20.csv").succeeded()
    #expect(try values("odd-2025-11-20") == ["1|organization|Zeta Alpha", "2|organization|Omega Beta"])
  }

  @Test("is asked about at a terminal")
  func terminal() throws {
    try own.scratch.write("odd-2025-11-20.csv", "Nominal,NPI\nZeta Alpha,1234567893\nOmega Beta,1073050910\n")
    func asked(_ answer: String) throws -> Program.Outcome {
      let words = ["pipelines", "new", "--into", "directory-csv", "--from", own.path("odd-2025-11-20.csv")]
      return try own.program.start(words + own.project, typing: answer).wait()
    }
    let none = try asked("\n")
    #expect(none.status == 3 && none.output.contains("Which of them has the names"), "\(none.output)")
    let made = try asked("1\norg\n")
    #expect(made.status == 0 && made.output.contains("Whose records are these?"), "\(made.output)")
    try own.load("directory-csv", "odd-2025-11-20.csv").succeeded()
    #expect(
      try values("odd-2025-11-20")
        == ["1|1234567893|organization|Zeta Alpha", "2|1073050910|organization|Omega Beta"])
  }

  @Test("keeps records of one NPI apart where they are not one provider, or the user says so")
  func unfolded() throws {
    func list(_ last: String) -> String {
      "NPI,Last Name,First Name,City\n1234567893,Exley,Ada,Wexley\n1234567893,\(last),Ada,Marlow\n"
    }
    try own.scratch.write("one-2025-11-20.csv", list("Exley"))
    try own.scratch.write("two-2025-11-20.csv", list("Zane"))
    try draft("one-2025-11-20.csv", "--no-fold").succeeded()
    try draft("two-2025-11-20.csv").succeeded()
    for release in ["one-2025-11-20", "two-2025-11-20"] {
      try own.load("directory-csv", release + ".csv").succeeded()
      #expect(try values(release).count == 2)
    }
  }
}
