import Definitions
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
    let reported = try #require(
      rule.release(in: sample.header("pprrvu").banner, at: .banner(source: "pprrvu")))
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
    let bundles = try [(1, 40), (1, 40), (2, 40), (1, 41)].map { seed, rows in
      try Sampler.own().zip(rows: rows, seed: UInt64(seed))
    }
    #expect(bundles[0] == bundles[1])
    #expect(bundles[0] != bundles[2] && bundles[0] != bundles[3])
    // The time of the first entry is the zip format's first: a real one would depend on the time zone.
    #expect(Array(bundles[0][10..<14]) == [0x00, 0x00, 0x21, 0x00])
  }

  @Test("What cannot be made is refused with what can, and leaves no file")
  func refusals() throws {
    let sampler = try Sampler.own()
    #expect(throws: SampleError.rows(9, least: 10, most: 1_293_118)) { try sampler.zip(rows: 9) }
    #expect(throws: SampleError.self) { try sampler.zip(rows: 5_000_000) }
    #expect(throws: SampleError.release("2025X", form: #"(\d{2}(\d{2}))([A-D])(R\d*)?"#)) {
      try sampler.zip(release: "2025X")
    }
    #expect(throws: SampleError.self) { try sampler.write(to: "/nowhere/at/all.zip", rows: 10) }
  }
}
