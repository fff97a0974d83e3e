import Foundation
import TestSupport
import Testing

/// Files that are not what their names say, or not whole: exit 3, one sentence, nothing published.
@Suite("A file that cannot be what it says")
struct BrokenFileTests {
  /// What is wrong with a file, and what must be said of it.
  enum Fault: String, CaseIterable {
    case cutOff, badChecksum, password, renamedCSV, renamedWorkbook, webPage, webPageCSV, empty

    var words: String {
      switch self {
      case .cutOff: "the archive is damaged or cut off"
      case .badChecksum: "the archive is damaged or cut off"
      case .password: "is encrypted. Unpack it with its password"
      case .renamedCSV: "has the name of an .xlsx workbook but is"
      case .renamedWorkbook: "has the name of a text file but is a workbook or an archive"
      case .webPageCSV: "has the name of a text file but is a web page"
      case .webPage: "has the name of an archive but is a web page"
      case .empty: "the archive holds no file"
      }
    }
  }

  @Test("is refused with 3, in one sentence, and nothing of it is published", arguments: Fault.allCases)
  func refused(fault: Fault) throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = try Self.make(fault, in: scratch)
    let run = try program.run("run", "cms-rvu", "--allow-missing", path)
    #expect(run.status == 3, "\(run.errors)")
    let said = run.errors.split(separator: "\n").filter { $0.hasPrefix("rivulet: ") }
    #expect(said.count == 1 && said.first?.contains(fault.words) == true, "\(run.errors)")
    let json = try program.run("run", "cms-rvu", "--allow-missing", path, "--format", "json")
    let error = try #require(json.object()["error"] as? [String: Any])
    #expect(error["code"] as? Int == 3)
    #expect(
      try database.value(
        """
        SELECT (SELECT count(*) FROM cms.rvu) + (SELECT count(*) FROM rivulet.release)
          + (SELECT count(*) FROM pg_class WHERE relname ~ '_2025d_')
        """) == "0")
  }

  /// Makes the file and gives its path, or that of its folder.
  private static func make(_ fault: Fault, in scratch: Scratch) throws -> String {
    let zip = scratch.path + "/RVU25D.zip"
    func write(_ bytes: some Sequence<UInt8>) throws -> String {
      try Data(bytes).write(to: URL(filePath: zip))
      return zip
    }
    let whole = try [UInt8](Data(contentsOf: URL(filePath: Samples.make(rows: 60))))
    switch fault {
    case .cutOff: return try write(whole.prefix(whole.count / 2))
    case .badChecksum: return try Samples.make(quirks: ["bad-crc"], rows: 60)
    case .password:
      // The flag of encryption in each header, local and of the directory.
      var bytes = whole
      for place in bytes.indices.dropLast(10) where bytes[place] == 0x50 && bytes[place + 1] == 0x4B {
        if bytes[place + 2] == 3, bytes[place + 3] == 4 { bytes[place + 6] |= 1 }
        if bytes[place + 2] == 1, bytes[place + 3] == 2 { bytes[place + 8] |= 1 }
      }
      return try write(bytes)
    case .renamedCSV:
      let text = try Archive.text("PPRRVU2025_Oct.csv", in: Samples.make(rows: 60))
      try scratch.write("RVU25D/PPRRVU2025_Oct.xlsx", text)
      return scratch.path + "/RVU25D"
    case .renamedWorkbook:
      let folder = try Archive.unpacked(
        Samples.make(formats: ["xlsx"], rows: 60), only: "PPRRVU*")
      let bytes = try Data(contentsOf: URL(filePath: folder.path + "/PPRRVU2025_Oct.xlsx"))
      try scratch.write("RVU25D/PPRRVU2025_Oct.csv", "")
      try bytes.write(to: URL(filePath: scratch.path + "/RVU25D/PPRRVU2025_Oct.csv"))
      return scratch.path + "/RVU25D"
    case .webPageCSV:
      try scratch.write("RVU25D/PPRRVU2025_Oct.csv", "<html><body>Sign in</body></html>")
      return scratch.path + "/RVU25D"
    case .webPage:
      return try write(Array("<!DOCTYPE html><html><body>Page not found</body></html>".utf8))
    case .empty: return try write([UInt8]())
    }
  }
}
