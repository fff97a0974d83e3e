import TestSupport
import Testing

/// Made-up lists, as Medicare publishes them of whom it pays.
@Suite("A list of Medicare's")
struct MedicareListTests {
  /// Loads a file of few records, each by its name, and gives the desk.
  private func desk(
    _ pipeline: String, _ files: [String: String], saying: [String] = [], options: [String] = []
  ) throws -> Desk {
    let desk = try Desk()
    for (name, text) in files { try desk.scratch.write("in/\(name)", latin1: text) }
    let run = try desk.load(pipeline, "in", options: options).succeeded()
    for text in saying { #expect(run.errors.contains(text), "\(run.errors)") }
    return desk
  }

  @Test("of who may order and refer has names with commas, and may end before hospices")
  func orderReferring() throws {
    let few = ["--accept", "rows-providers"]
    let old = try desk(
      "cms-order-referring",
      [
        "OrderReferring_20190102.csv":
          "NPI,LAST_NAME,FIRST_NAME,PARTB,DME,HHA,PMD\r\n1234567893,\"DOE, JR\",ANN,Y,N,Y,N\r\n"
      ], options: few)
    let rows =
      "SELECT release, npi, last_name, part_b, dme, hha, pmd, hospice FROM directory.order_referring ORDER BY release"
    #expect(try old.rows(rows) == ["order-referring-2019-01-02|1234567893|DOE, JR|t|f|t|f|-"])
    try old.scratch.write(
      "Order and Referring_2025-11-13.csv",
      "NPI,LAST_NAME,FIRST_NAME,PARTB,DME,HHA,PMD,HOSPICE\n1234567893,DOE,ANN,Y,,y,N,Y\n0000000000,ROE,CY,Y,Y,Y,Y,Y\n"
    )
    try old.load(
      "cms-order-referring", "Order and Referring_2025-11-13.csv", options: few + ["--max-rejects", "1"]
    ).succeeded(saying: "1 of 2 records were refused")
    #expect(try old.rows(rows).last == "order-referring-2025-11-13|1234567893|DOE|t|-|t|f|t")
  }

  @Test("of opt-outs has several of a practitioner, and says who may still order")
  func optOuts() throws {
    let header =
      "First Name,Last Name,NPI,Specialty,Optout Effective Date,Optout End Date,First Line Street Address,Second Line Street Address,City Name,State Code,Zip code,Eligible to Order and Refer,Last updated\r\n"
    let desk = try desk(
      "cms-opt-out",
      [
        "Opt-Out_Affidavits_2025.11.csv": header
          + "Ann,Doe,1234567893,\"Psychiatry, Child\",01/01/2024,01/01/2026,1 Main St,,Wexley,CT,60011234,Y,11/01/2025\r\n"
          + "Ann,Doe,1234567893,Psychiatry,01/01/2018,01/01/2020,1 Main St,,Wexley,CT,6001,N,00/00/0000\r\n"
          + "Bo,Roe,1245319599,Dentist,03/04/2025,03/04/2024,,,,ZZ,,N,\r\n"
      ], saying: ["opt-outs-end-after-they-begin", "the code list 'state' lacks: ZZ"],
      options: ["--accept", "rows-affidavits"])
    #expect(
      try desk.rows(
        """
        SELECT release, npi, effective_on, ends_on, postal_code, zip4, may_order_and_refer, updated_on
        FROM directory.opt_out ORDER BY npi, effective_on
        """) == [
          "opt-out-2025-11-01|1234567893|2018-01-01|2020-01-01|06001|-|f|-",
          "opt-out-2025-11-01|1234567893|2024-01-01|2026-01-01|06001|1234|t|2025-11-01",
          "opt-out-2025-11-01|1245319599|2025-03-04|2024-03-04|-|-|f|-",
        ])
  }

  @Test("of enrolments has many of an NPI, letters of one byte, and who reassigns to whom")
  func enrolments() throws {
    let columns = "PECOS_ASCT_CNTL_ID,ENRLMT_ID,PROVIDER_TYPE_CD,PROVIDER_TYPE_DESC,STATE_CD,FIRST_NAME"
    let desk = try desk(
      "cms-enrolment",
      [
        "PPEF_Enrollment_Extract_2025.10.01.csv":
          "NPI,MULTIPLE_NPI_FLAG,\(columns),MDL_NAME,LAST_NAME,ORG_NAME\r\n"
          + "1234567893,N,0123456789,I20040000000001,14-08,\"PRACTITIONER, FAMILY\",PR,ANN,,MU\u{D1}OZ,\r\n"
          + "1234567893,N,0123456789,I20040000000002,14-08,PRACTITIONER,FL,ANN,,MU\u{D1}OZ,\r\n"
          + "1245319599,Y,0123456780,O20040000000003,12-70,CLINIC,FL,,,,\"ALDER, LLC\"\r\n",
        "PPEF_Reassignment_Extract_2025.10.01.csv":
          "REASGN_BNFT_ENRLMT_ID,RCV_BNFT_ENRLMT_ID\r\nI20040000000002,O20040000000003\r\nI9,O20040000000003\r\n",
      ], saying: ["reassignments-are-of-enrolments"], options: ["--accept", "rows-enrolments"])
    #expect(
      try desk.rows(
        """
        SELECT e.npi, e.last_name, e.pac_id, e.has_several_npis, g.organization
        FROM directory.enrollment e
        LEFT JOIN directory.reassignment r ON r.release = e.release AND r.reassigning_id = e.enrollment_id
        LEFT JOIN directory.enrollment g ON g.release = r.release AND g.enrollment_id = r.receiving_id
        ORDER BY e.enrollment_id
        """) == [
          "1234567893|MU\u{D1}OZ|0123456789|f|-", "1234567893|MU\u{D1}OZ|0123456789|f|ALDER, LLC",
          "1245319599|-|0123456780|t|-",
        ])
    // Until the flag came there were ten columns.
    let old = try self.desk(
      "cms-enrolment",
      [
        "PPEF_Enrollment_Extract_2020.10.01.csv":
          "NPI,\(columns),MDL_NAME,LAST_NAME,ORG_NAME\n1234567893,1,I1,14-08,X,CT,ANN,,DOE,\n"
      ], options: ["--accept", "rows-enrolments", "--allow-missing"])
    #expect(
      try old.rows("SELECT release, has_several_npis FROM directory.enrollment") == ["ppef-2020-10-01|-"])
  }

  @Test("of due dates has days that are not set")
  func revalidations() throws {
    let desk = try desk(
      "cms-revalidation",
      [
        "Revalidation Due Date List 20251101.csv":
          """
        Enrollment ID,National Provider Identifier,First Name,Last Name,Organization Name,Enrollment State Code,\
        Enrollment Type,Provider Type Text,Enrollment Specialty,Revalidation Due Date,Adjusted Due Date,\
        Individual Total Reassign To,Receiving Benefits Reassignment
        I1,1234567893,ANN,DOE,,CT,3,Non-DME Part B,Family Practice,TBD,TBD,2,
        I2,1245319599,,,"ALDER, LLC",CT,1,Non-DME Part B,Clinic,12/31/2025,tbd,,14

        """
      ], options: ["--accept", "rows-due-dates"])
    #expect(
      try desk.rows(
        """
        SELECT enrollment_id, npi, organization, due_on, adjusted_due_on, reassigns_to, receives_from
        FROM directory.revalidation ORDER BY 1
        """) == ["I1|1234567893|-|-|-|2|-", "I2|1245319599|ALDER, LLC|2025-12-31|-|-|14"])
  }
}
