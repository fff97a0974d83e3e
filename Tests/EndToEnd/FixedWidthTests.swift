import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The txt of a bundle against its csv.
@Suite("The txt of a real RVU release")
struct FixedWidthTests {
  @Test(
    "gives the rows of its csv, value by value, but for the texts that the publisher cut or worded otherwise",
    .needs(Loaded.latest, Loaded.first),
    arguments: [(Loaded.latest, "RVU25D", "2025D"), (Loaded.first, "RVU25A", "2025A")])
  func sameRows(bundle: String, folder: String, release: String) throws {
    let (csv, _) = try Loaded.both.get()
    let scratch = try Scratch()
    let path = scratch.path + "/" + folder
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let unzip = Process()
    unzip.executableURL = URL(filePath: "/usr/bin/unzip")
    unzip.arguments = ["-q", "-j", SharedData.path(bundle), "*.txt", "-d", path]
    try unzip.run()
    unzip.waitUntilExit()
    try #require(unzip.terminationStatus == 0)

    let (txt, program) = try Loaded.migrated()
    let run = try program.run("run", "cms-rvu", path)
    try #require(run.status == 0, "\(run.errors)")

    var differences: [String: Int] = [:]
    for (table, key) in Self.keys {
      let (ours, theirs) = (try values(txt, table, key, release), try values(csv, table, key, release))
      #expect(ours.count > 100 && Set(ours.keys) == Set(theirs.keys), "\(table)")
      for (key, row) in ours {
        for (column, value) in row where theirs[key]?[column] != value {
          differences["\(table).\(column)", default: 0] += 1
        }
      }
    }
    #expect(
      differences == [
        // Cut at 40 characters, and the stars of the footnotes left out.
        "anesthesia_cf.locality_name": 10,
        // Cut at 58 characters, and one worded otherwise.
        "locality_county.counties": 10, "locality_county.fee_schedule_area": 2,
        // The txt leaves California out, on the first record of its block too.
        "locality_county.state": 29,
      ])
  }

  @Test(
    "is refused where it is cut off in a record, and where it is another table's",
    .needs(Loaded.latest))
  func damaged() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let line = "99999  Some text\(String(repeating: " ", count: 41))A   1.00   1.00     1.00    1.00   1.00"
    try scratch.write("RVU25D/PPRRVU2025_Oct.txt", line + "\r\n")
    let other = try program.run("run", "cms-rvu", scratch.path + "/RVU25D", "--allow-missing")
    #expect(other.status == 3)
    #expect(
      other.errors.contains(
        "the records are not those of the layout 'pprrvu': version 2020 comes nearest, but record 1 has"),
      "\(other.errors)")

    let name = "OPPSCAP_Oct.txt"
    let rows = (0..<50).map { "\(70000 + $0)   A 10112  00    10.00     10.00\r\n" }.joined()
    try FileManager.default.removeItem(atPath: scratch.path + "/RVU25D/PPRRVU2025_Oct.txt")
    try scratch.write("RVU25D/" + name, String(rows.dropLast(3)))
    let cut = try program.run("run", "cms-rvu", scratch.path + "/RVU25D", "--allow-missing")
    #expect(cut.status == 3)
    #expect(cut.errors.contains("\(name):50: the record is shorter than the layout's"), "\(cut.errors)")
    #expect(try database.value("SELECT count(*) FROM cms.opps_cap") == "0")
  }

  private static let keys = [
    "rvu": "cf_class, hcpcs, modifier", "gpci": "mac, locality", "locality_county": "row",
    "anesthesia_cf": "cf_class, mac, locality", "opps_cap": "hcpcs, modifier, mac, locality",
  ]

  /// By key the values of each row, but for those that tell where it comes from.
  private func values(
    _ database: TestDatabase, _ table: String, _ key: String, _ release: String
  ) throws -> [String: [String: String]] {
    let rows = try database.connect().query(
      """
      SELECT concat_ws(' ', \(key)), to_jsonb(t) - '{source_file_id,source_line}'::text[]
      FROM cms.\(table) t WHERE release = '\(release)'
      """)
    var values: [String: [String: String]] = [:]
    for row in rows.rows {
      let object = try JSONSerialization.jsonObject(with: Data((row[1] ?? "").utf8))
      values[row[0] ?? ""] = (object as? [String: Any])?.mapValues { "\($0)" }
    }
    return values
  }
}
