import Foundation
import TestSupport
import Testing

@Suite("The provider taxonomy")
struct TaxonomyTests {
  @Test(
    "loads with its crosswalk, whose codes have no marks of footnotes",
    .needs("directory/nucc/nucc_taxonomy_240.csv"))
  func real() throws {
    let (database, program) = try Loaded.migrated()
    try program.run("run", "nucc", SharedData.path("directory/nucc")).succeeded()
    #expect(
      try database.value("SELECT count(*) FROM directory.taxonomy WHERE release = 'nucc-24.0'") == "874")
    let crosswalk = "SELECT count(*) FROM directory.specialty_crosswalk"
    #expect(try database.value(crosswalk) == "570")
    #expect(try database.value(crosswalk + " WHERE specialty !~ '^[0-9A-Z]{2}$'") == "0")
    #expect(try database.value(crosswalk + " WHERE taxonomy !~ '^[0-9A-Z]{9}X$'") == "0")
    #expect(try database.value(crosswalk + " WHERE specialty_description LIKE '%]'") == "0")
    #expect(try database.value(crosswalk + " WHERE taxonomy IS NULL") == "4")
  }

  @Test("loads in the layouts of its years")
  func years() throws {
    let (database, program) = try Loaded.migrated()
    for (version, header, values) in [
      ("100", "Code,Type,Classification,Specialization,Definition,Notes", "A,B,,D,N"),
      ("190", "Code,Grouping,Classification,Specialization,Definition,Notes", "A,B,,D,N"),
      (
        "240", "Code,Grouping,Classification,Specialization,Definition,Notes,Display Name,Section",
        "A,B,,D,N,S,I"
      ),
    ] {
      let scratch = try Scratch()
      let records = (1...10).map { "20700000\($0 % 10)X,\(values)" }
      try scratch.write("nucc_taxonomy_\(version).csv", ([header] + records).joined(separator: "\r\n"))
      let run = try program.run("run", "nucc", scratch.path)
      #expect(run.status == 0 && !run.errors.contains("warning"), "\(run.errors)")
    }
    let found = """
      SELECT string_agg(DISTINCT concat_ws(' ', release, grouping || classification || definition || notes, display_name),
        ', ' ORDER BY concat_ws(' ', release, grouping || classification || definition || notes, display_name))
      FROM directory.taxonomy
      """
    #expect(try database.value(found) == "nucc-10.0 ABDN, nucc-19.0 ABDN, nucc-24.0 ABDN S")
  }
}
