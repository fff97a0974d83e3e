import TestSupport
import Testing

/// Made-up doctors and clinicians, under the headers of now and of until 2022.
@Suite("The doctors and clinicians of Medicare")
struct ClinicianTests {
  private static let few = ["--accept", "rows-clinicians", "--allow-missing"]

  @Test("are one row a provider, with groups, addresses and facilities, and a number that has lost its zero")
  func now() throws {
    let desk = try Desk()
    let header =
      "NPI,Ind_PAC_ID,Ind_enrl_ID,Provider Last Name,Provider First Name,Provider Middle Name,suff,gndr,Cred,Med_sch,Grd_yr,pri_spec,sec_spec_1,sec_spec_2,sec_spec_3,sec_spec_4,sec_spec_all,Telehlth,Facility Name,org_pac_id,num_org_mem,adr_ln_1,adr_ln_2,ln_2_sprs,City/Town,State,ZIP Code,Telephone Number,ind_assgn,grp_assgn,adrs_id\n"
    let person = "1234567893,0123,I1,DOE,ANN,,,F,MD,YALE,1999,CARDIOLOGY,,,,,,"
    try desk.scratch.write(
      "doctors_and_clinicians_11_2025/DAC_NationalDownloadableFile.csv",
      header + person + "Y,\"ALDER, LLC\",0042,3,1 MAIN ST,,,WEXLEY,CT,060011234,2035551000,Y,Y,CT1\n"
        + person + ",\"ALDER, LLC\",0042,3,2 MAIN ST,STE 1,,WEXLEY,CT,6001,,Y,Y,CT2\n"
        + person + ",,,,9 ELM ST,,Y,WEXLEY,CT,6001,,M,,CT3\n"
        + "1245319599,9,I2,ROE,CY,,,U,,,1,PODIATRY,,,,,,,,,,,,,,,,,Y,,\n")
    try desk.scratch.write(
      "doctors_and_clinicians_11_2025/Facility_Affiliation.csv",
      """
      NPI,Ind_PAC_ID,Provider Last Name,Provider First Name,Provider Middle Name,suff,facility_type,\
      Facility Affiliations Certification Number,Facility Type Certification Number
      1234567893,0123,DOE,ANN,,,Hospital,70022,
      1234567893,0123,DOE,ANN,,,Inpatient rehabilitation facility,07t022,70022

      """)
    let run = try desk.load("cms-dac", "doctors_and_clinicians_11_2025", options: Self.few).succeeded(
      saying: "graduation_year: 1 values were left blank")
    #expect(!run.errors.contains("odd-values"), "\(run.errors)")
    #expect(
      try desk.rows(
        """
        SELECT npi, release, last_name, primary_specialty, has_telehealth, group_pac_ids, groups, facilities
        FROM directory.clinician ORDER BY npi
        """) == [
          "1234567893|dac-2025-11|DOE|CARDIOLOGY|t|{0042}|{\"ALDER, LLC\"}|{\"070022 Hospital\",\"07T022 Inpatient rehabilitation facility\"}",
          "1245319599|dac-2025-11|ROE|PODIATRY|-|{}|{}|{}",
        ])
    #expect(
      try desk.value(
        "SELECT array_to_string(addresses, '; ') FROM directory.clinician WHERE npi = 1234567893")
        == "1 MAIN ST, WEXLEY, CT 06001; 2 MAIN ST, STE 1, WEXLEY, CT 06001; 9 ELM ST, WEXLEY, CT 06001")
    #expect(
      try desk.value("SELECT string_agg(DISTINCT parent_ccn, ' ') FROM directory.facility_affiliation")
        == " 070022")
  }

  @Test("had short names in the header until 2022, with blanks before them, and hospitals in the row")
  func before() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "Physician_Compare_National_Downloadable_File_2021-03.csv",
      """
      NPI, Ind_PAC_ID, Ind_enrl_ID, lst_nm, frst_nm, mid_nm, suff, gndr, Cred, Med_sch, Grd_yr, pri_spec, sec_spec_1,\
       sec_spec_2, sec_spec_3, sec_spec_4, sec_spec_all, org_nm, org_pac_id, num_org_mem, adr_ln_1, adr_ln_2, ln_2_sprs,\
       cty, st, zip, phn_numbr, hosp_afl_1, hosp_afl_lbn_1, ind_assgn, grp_assgn
      1234567893,123,I1,DOE,ANN,,,F,MD,,1999,CARDIOLOGY,,,,,,"ALDER, LLC",42,3,1 MAIN ST,,,WEXLEY,CT,06001,2035551000,\
      70022,ALDER HOSPITAL,Y,Y
      1234567893,123,I1,DOE,ANN,,,F,MD,,1999,CARDIOLOGY,,,,,,"ALDER, LLC",42,3,2 MAIN ST,,,WEXLEY,CT,06001,2035551000,\
      07A022,ALDER HOSPITAL,Y,Y

      """)
    try desk.load(
      "cms-dac", "Physician_Compare_National_Downloadable_File_2021-03.csv", options: Self.few
    ).succeeded()
    #expect(
      try desk.rows(
        """
        SELECT release, npi, group_name, line_1, phone, has_telehealth, hospital_1, hospital_1_name, address_id
        FROM directory.clinician_location ORDER BY line_1
        """) == [
          "dac-2021-03|1234567893|ALDER, LLC|1 MAIN ST|+12035551000|-|070022|ALDER HOSPITAL|",
          "dac-2021-03|1234567893|ALDER, LLC|2 MAIN ST|+12035551000|-|07A022|ALDER HOSPITAL|",
        ])
  }
}
