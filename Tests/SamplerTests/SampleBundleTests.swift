import Definitions
import Foundation
import Testing

@testable import Sampler

@Suite("A sample is a bundle like the publisher's")
struct SampleBundleTests {
  @Test(
    "Every header is found, every column known", arguments: ["pprrvu", "gpci", "locco", "anes", "oppscap"])
  func headers(source: String) throws {
    let sample = try Sample(rows: 50)
    let match = try sample.header(source)
    #expect(match.unknown.isEmpty)
    let depths = ["pprrvu": (9, 5), "gpci": (2, 1), "locco": (2, 1), "anes": (0, 1), "oppscap": (0, 1)]
    #expect(depths[source].map { $0 == (match.lastRow, match.depth) } == true)
  }

  @Test(
    "The banner and the names tell the release",
    arguments: [
      ("2025D", "PPRRVU2025_Oct.csv", "25LOCCO.csv"), ("2024a", "PPRRVU2024_Jan.csv", "24LOCCO.csv"),
      ("2024AR", "PPRRVU2024_Jan.csv", "24LOCCO.csv"),
    ])
  func release(name: String, entry: String, county: String) throws {
    let sample = try Sample(rows: 10, release: name)
    let rule = try Sample.pipeline().release
    let reported = try #require(rule.release(fromBanner: sample.header("pprrvu").banner, of: "pprrvu"))
    #expect(rule.agrees(name, with: reported))
    #expect(sample.names["pprrvu"] == entry && sample.names["locco"] == county)
    #expect(try sample.header("pprrvu").banner.contains("SYNTHETIC SAMPLE, NOT FOR BILLING"))
  }

  @Test("Lines end in CRLF, the last one too, and every record is as wide as its header")
  func shape() throws {
    let sample = try Sample(rows: 50)
    for (source, bytes) in sample.files {
      #expect(bytes.suffix(2) == [0x0D, 0x0A], "\(source)")
      #expect(bytes.count { $0 == 0x0A } == bytes.count { $0 == 0x0D })
      #expect(Set(sample.records(source).map(\.count)).count == 1, "\(source)")
      #expect(bytes.allSatisfy { $0 < 0x80 })
    }
  }

  @Test("The same seed makes the same bytes, another seed others")
  func seeds() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sampler = try Sampler.load(Sample.pipeline())
    let bundles = try [(1, 40), (1, 40), (2, 40), (1, 41)].enumerated().map { number, choice in
      let path = folder.appending(path: "\(number).zip")
      try sampler.write(to: path.path, rows: choice.1, seed: UInt64(choice.0))
      return try Data(contentsOf: path)
    }
    #expect(bundles[0] == bundles[1])
    #expect(bundles[0] != bundles[2] && bundles[0] != bundles[3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
    // The time of the first entry is the zip format's first: a real one would depend on the time zone.
    #expect(Array(bundles[0][10..<14]) == [0x00, 0x00, 0x21, 0x00])
  }

  @Test("The zip holds the five files under the publisher's names")
  func zip() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID()).zip").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let entries = try Sampler.load(Sample.pipeline()).write(to: path, rows: 30, seed: 5)
    let sample = try Sample(rows: 30, seed: 5)
    #expect(
      entries.map(\.name) == [
        "PPRRVU2025_Oct.csv", "GPCI2025.csv", "25LOCCO.csv", "ANES2025.csv", "OPPSCAP_Oct.csv",
      ])
    let held = try ZipContents.read(path).contents
    for entry in entries {
      #expect(held[entry.name] == sample.files[entry.source])
      #expect(entry.bytes == sample.files[entry.source]?.count)
    }
  }

  @Test("What cannot be made is refused with what can, and leaves no file")
  func refusals() throws {
    let sampler = try Sampler.load(Sample.pipeline())
    let path = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID()).zip").path
    #expect(throws: SampleError.rows(9, least: 10, most: 1_293_118)) { try sampler.write(to: path, rows: 9) }
    #expect(throws: SampleError.self) { try sampler.write(to: path, rows: 5_000_000) }
    #expect(throws: SampleError.release("2025X", form: #"(\d{2}(\d{2}))([A-D])(R\d*)?"#)) {
      try sampler.write(to: path, rows: 10, release: "2025X")
    }
    #expect(throws: SampleError.self) { try sampler.write(to: "/nowhere/at/all.zip", rows: 10) }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
  }
}
