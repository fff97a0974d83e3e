import Foundation
import Records
import TestSupport
import Testing
import Values

private let october = "rvu/RVU25D.zip"
private let january = "rvu/rvu25a-updated-01_10_2025.zip"
private let providers = "directory/nppes/npidata_pfile_20050523-20251109.csv"
private let knownBad = "directory/known-bad/known_bad_npidata.csv"

@Suite struct PublishedFilesTests {
  /// What is in an entry of a bundle.
  private struct Counts {
    var records = 0
    var blank = 0
    var lastLine = 0
    var malformed: [Int: Malformation] = [:]
    var widths: Set<Int> = []
    var afterHeader = 0
  }

  private func count(_ stream: any ByteStream) throws -> Counts {
    var counts = Counts()
    var isPastHeader = false
    var reader = DelimitedReader(stream)
    while try reader.next() {
      counts.records += 1
      counts.lastLine = reader.place.line
      counts.blank += reader.isBlank ? 1 : 0
      if let malformation = reader.malformation { counts.malformed[counts.records] = malformation }
      counts.afterHeader += isPastHeader && !reader.isBlank ? 1 : 0
      let fields = reader.texts
      counts.widths.insert(fields.count)
      if fields[0] == "HCPCS" { isPastHeader = true }
    }
    return counts
  }

  private func entry(_ name: String, of bundle: String) throws -> SourceEntry {
    let entries = try Discovery.entries(of: SharedData.path(bundle))
    return try #require(entries.first { $0.name == name })
  }

  @Test(.needs(october))
  func `the bundle of October 2025 has fifteen entries`() throws {
    let entries = try Discovery.entries(of: SharedData.path(october))
    #expect(entries.count == 15)
    #expect(entries.first { $0.name == "PPRRVU2025_Oct.csv" }?.size == 2_547_226)
    for entry in entries {
      let stream = HashingStream(try entry.open())
      try stream.drain()
      #expect(stream.byteCount == entry.size)
    }
  }

  @Test(.needs(october))
  func `October 2025 has 19,090 codes and 16,100 capped amounts`() throws {
    let fees = try count(entry("PPRRVU2025_Oct.csv", of: october).open())
    #expect(fees.afterHeader == 19_090)
    #expect(fees.widths == [31])
    #expect(fees.malformed.isEmpty)
    #expect(fees.lastLine == fees.records)
    let caps = try count(entry("OPPSCAP_Oct.csv", of: october).open())
    #expect(caps.afterHeader == 16_100)
    #expect(caps.widths == [7])
  }

  @Test(.needs(january))
  func `the control-Z of January 2025 ends the data and is no record`() throws {
    let fees = try count(entry("PPRRVU25_JAN.csv", of: january).open())
    #expect(fees.afterHeader == 18_865)
    #expect(fees.malformed.isEmpty)
    let caps = try count(entry("OPPSCAP_JAN.csv", of: january).open())
    #expect(caps.records == 16_101)
    #expect(caps.malformed.isEmpty)
  }

  @Test(.needs(providers))
  func `a provider file of 330 quoted columns is read whole`() throws {
    let counts = try count(FileStream(path: SharedData.path(providers)))
    #expect(counts.records == 3_027)
    #expect(counts.widths == [330])
    #expect(counts.malformed.isEmpty)
  }

  @Test(.needs(knownBad))
  func `of the known-bad provider records only the one with broken quotes is malformed`() throws {
    let counts = try count(FileStream(path: SharedData.path(knownBad)))
    // The header is the first record, so record 17 is the eighteenth.
    #expect(counts.records == 29)
    #expect(counts.malformed == [18: .textAfterQuote])
    #expect(counts.widths.isSuperset(of: [329, 330, 331]))
  }

  @Test(.needs(knownBad))
  func `of the known-bad provider records only the one with a byte of Windows-1252 is undecodable`() throws {
    var reader = DelimitedReader(try FileStream(path: SharedData.path(knownBad)))
    var record = 0
    var undecodable: [Int] = []
    while try reader.next() {
      record += 1
      if reader.undecodable != nil { undecodable.append(record) }
    }
    #expect(reader.encoding == .utf8)
    // The header is the first record.
    #expect(undecodable == [14])
  }
}
