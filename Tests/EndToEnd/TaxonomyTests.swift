import Foundation
import TestSupport
import Testing

@Suite("The provider taxonomy")
struct TaxonomyTests {
  @Test("loads in the layouts of its years")
  func years() throws {
    let desk = try Desk()
    let header = "Classification,Specialization,Definition,Notes"
    for (version, header, values) in [
      ("100", "Code,Type," + header, "A,B,,D,N"), ("190", "Code,Grouping," + header, "A,B,,D,N"),
      ("240", "Code,Grouping," + header + ",Display Name,Section", "A,B,,D,N,S,I"),
    ] {
      let records = (1...10).map { "20700000\($0 % 10)X,\(values)" }
      try desk.scratch.write(
        "\(version)/nucc_taxonomy_\(version).csv", ([header] + records).joined(separator: "\r\n"))
      try desk.scratch.write("\(version)/\(ProviderFiles.notice)", "")
      try desk.load("nucc", version).succeeded().withholding("warning")
    }
    #expect(
      try desk.database.rows(
        """
        SELECT DISTINCT release, grouping || classification || definition || notes, display_name
        FROM directory.taxonomy ORDER BY 1
        """) == ["nucc-10.0|ABDN|-", "nucc-19.0|ABDN|-", "nucc-24.0|ABDN|S"])
  }
}
