import TestSupport
import Testing

@Suite("Where the people of a list practise")
struct ListedPracticeTests {
  @Test("is for the group of the same line, also where two groups share an address")
  func groups() throws {
    let own = try OwnProject(of: ["directory-csv"])
    let npi = ProviderFiles.npi(1)
    let rows = [
      "Alder Clinic,12 Main St,06510", "Birch House,12 Main St,06510", "Cedar Practice,9 Elm Ave,06511",
    ].map { "\(npi),Exley,Ada,\($0)\n" }
    try own.scratch.write(
      "st-anne-2025-11-20.csv",
      "NPI,Provider Last Name,Provider First Name,Group Name,Address,Zip\n" + rows.joined())
    try own.command(
      "pipelines", "new", "--into", "directory-csv", "--from", own.path("st-anne-2025-11-20.csv")
    ).succeeded()
    try own.load("directory-csv", "st-anne-2025-11-20.csv").succeeded()
    #expect(
      try own.rows(
        "SELECT organization, place FROM directory.practice WHERE npi = \(npi) ORDER BY organization")
        == ["Alder Clinic|12 MAIN 06510", "Birch House|-", "Cedar Practice|9 ELM 06511"])
  }
}
