import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("A code whose record was rejected")
struct RejectedCodeTests {
  /// A release of the sample in which three codes have one record each, and it is wrong: a work RVU that is no
  /// number, a modifier that is none, and quotes that do not close.
  private func desk() throws -> (desk: Desk, codes: [String]) {
    let desk = try Desk()
    try Loaded.unzip(
      try Samples.make(formats: ["csv"], rows: 60, release: "2025D"), into: desk.path("RVU25D"))
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: desk.path("RVU25D")).first {
        $0.hasPrefix("PPRRVU")
      })
    var lines = try desk.text(of: "RVU25D/\(file)").components(separatedBy: "\r\n")
    let records = lines.indices.filter { lines[$0].wholeMatch(of: /\d{5},.*/) != nil }
    let codes = records.map { String(lines[$0].prefix(5)) }
    let alone = records.filter { line in codes.filter { lines[line].hasPrefix($0) }.count == 1 }
    for (index, wrong) in zip(alone, [(5, "x"), (1, "ABC"), (2, "\"a\"b")]) {
      var fields = lines[index].components(separatedBy: ",")
      fields[wrong.0] = wrong.1
      lines[index] = fields.joined(separator: ",")
    }
    try desk.scratch.write("RVU25D/\(file)", lines.joined(separator: "\r\n"))
    try desk.load("cms-rvu", "RVU25D", options: ["--max-rejects", "3"]).succeeded()
    return (desk, alone.prefix(3).map { String(lines[$0].prefix(5)) })
  }

  @Test("is distinguished from one that does not exist, by the run that published it, and nothing else is")
  func price() throws {
    let (desk, codes) = try desk()
    let (amount, modifier, quotes) = (codes[0], codes[1], codes[2])
    func price(_ code: String, _ options: String...) throws -> Program.Outcome {
      try desk.command("query", "price", "--hcpcs", code, "--locality", "01112-05", options: options)
    }
    try price(amount).failed(
      3, saying: "\(amount) was rejected in run 1, which published 2025D: rivulet rejects list 1 says why")
    // Of the modifier nothing is known, of the code all.
    try price(modifier).failed(3, saying: "\(modifier) was rejected in run 1, which published 2025D")
    try price(amount, "--modifier", "26")
      .failed(3, saying: "\(amount) is not a code of 2025D; the nearest are")
    // Where fields are is not certain, and so is the code.
    try price(quotes).failed(3, saying: "\(quotes) is not a code of 2025D; the nearest are")
    try price("ZZZZZ").failed(3, saying: "ZZZZZ is not a code of 2025D; the nearest are")
    #expect(
      Set(try desk.rows("SELECT key FROM rivulet.reject")) == [
        #"{"hcpcs": "\#(amount)", "cf_class": "all", "modifier": ""}"#,
        #"{"hcpcs": "\#(modifier)", "cf_class": "all"}"#, "-",
      ])

    let role = "reader_" + desk.database.name
    let connection = try desk.database.connect()
    try connection.execute("CREATE ROLE \(role); GRANT USAGE ON SCHEMA rivulet TO \(role); SET ROLE \(role)")
    func run(_ key: String) throws -> String {
      try connection.query(
        "SELECT coalesce(rivulet.rejected_in('cms-rvu', '2025D', 'pprrvu', '\(key)')::text, 'none')")[0]
        .value(0)
    }
    #expect(try run(#"{"hcpcs": "\#(amount)"}"#) == "1")
    #expect(try run(#"{"hcpcs": "\#(amount)", "modifier": "26"}"#) == "none")
    #expect(try run("{}") == "none")
    #expect(throws: PostgreSQLError.self) { try connection.query("SELECT key FROM rivulet.reject") }
    try connection.execute("RESET ROLE; REVOKE ALL ON SCHEMA rivulet FROM \(role); DROP ROLE \(role)")
  }
}
