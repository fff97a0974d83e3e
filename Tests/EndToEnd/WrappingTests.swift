import Foundation
import TestSupport
import Testing

/// The same tables, in an archive or in another one, unpacked, under another name, with what systems leave
/// beside them.
@Suite("The same content in another wrapping")
struct WrappingTests {
  /// What macOS puts into archives, and Windows and Excel into folders.
  private static let leftBehind = [
    "__MACOSX/._GPCI2025.csv", "._GPCI2025.csv", ".DS_Store", "Thumbs.db", "desktop.ini", "~$GPCI2025.xlsx",
  ]

  /// Wraps what is in a zip in other ways: by name, the path.
  private func wrappings(of zip: String, in desk: Desk) throws -> [String] {
    let folder = desk.path("unpacked")
    try Loaded.unzip(zip, into: folder)
    try Archive.zip(folder, to: desk.path("again.zip"))
    try Shell.run("sh", "-c", "tar -czf \"$0\" *", desk.path("release.tgz"), in: folder)
    for file in Self.leftBehind { try desk.scratch.write("mac/" + file, "\u{0}\u{5}\u{16}\u{7}") }
    try Shell.run("cp", "-r", folder + "/.", desk.path("mac"))
    try Shell.run("zip", "-qr", desk.path("mac.zip"), ".", in: desk.path("mac"))
    try FileManager.default.copyItem(atPath: zip, toPath: desk.path("download (1).zip"))
    return ["unpacked", "again.zip", "release.tgz", "mac", "mac.zip", "download (1).zip"]
  }

  private func expectUnchanged(_ zip: String) throws {
    let desk = try Desk()
    let options = ["--format", "json", "--no-refresh"]
    try desk.load("cms-rvu", zip, options: options).succeeded()
    for name in try wrappings(of: zip, in: desk) {
      for _ in 1...2 {
        let run = try desk.load("cms-rvu", name, options: options).succeeded()
        #expect(try run.at("state", "release", "revision") == "unchanged 2025D 1", "\(name)")
        #expect(try run.at("warnings") == "[]", "\(name)")
      }
    }
    // The ledger says where it was found, with the counts of the run that has loaded it.
    let found = try desk.load("cms-rvu", "mac.zip", options: options).succeeded()
    #expect(try found.at("sources/source=gpci/file") == desk.path("mac.zip"))
    #expect(
      try desk.value(
        "SELECT count(DISTINCT (source, sha256, bytes, records_loaded)) FROM rivulet.source_file") == "5")
  }

  @Test("is unchanged")
  func sample() throws { try expectUnchanged(Samples.make(rows: 60)) }

  @Test("is unchanged, of a real release", .needs(Loaded.latest))
  func real() throws { try expectUnchanged(SharedData.path(Loaded.latest)) }

  @Test("is another revision where one byte of an entry differs")
  func otherByte() throws {
    let desk = try Desk()
    let zip = try Samples.make(rows: 60)
    try desk.load("cms-rvu", zip, options: ["--no-refresh"]).succeeded()
    try Loaded.unzip(zip, into: desk.path("unpacked"))
    try desk.edit("unpacked/GPCI2025.csv", "ALABAMA", to: "ALABAMB")
    let run = try desk.load("cms-rvu", "unpacked", options: ["--format", "json", "--no-refresh"]).succeeded()
    #expect(try run.at("state", "revision") == "published 2")
  }

  @Test("is loaded once of a watched folder, and known by both files from then on")
  func nightly() throws {
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.pass("2025A published")
    try Archive.zip(night.incoming(""), to: night.incoming("items25a.zip"))
    try night.age("items25a.zip")
    try night.pass("2025A unchanged")
    try night.pass()
  }

  @Test("is unchanged, of what is merged into plain tables and of the changes of a period")
  func merged() throws {
    let own = try MergedDataset()
    try own.loadPeople()
    try own.writePeople()
    try own.write("week/people_20250602-20250608.csv", "a,Anna,,sings,,")
    try own.write("week/places_20250602-20250608.csv", "a,2,Bath")
    try Archive.zip(own.path("week"), to: own.path("week.zip"))
    try own.load("people", "week", options: ["--allow-missing"]).succeeded()
    for name in ["week.zip", "week"] {
      let run = try own.load("people", name, options: ["--allow-missing", "--format", "json"]).succeeded()
      #expect(try run.at("state") == "unchanged", "\(name)")
    }
    try own.write("day/patients.csv", "1,,Ann,61.50,,")
    try Archive.zip(own.path("day"), to: own.path("day.zip"))
    try own.load("clinic", "day", options: ["--allow-missing"]).succeeded()
    let run = try own.load("clinic", "day.zip", options: ["--allow-missing", "--format", "json"]).succeeded()
    #expect(try run.at("state") == "unchanged")
  }
}
