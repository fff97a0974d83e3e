import Foundation
import TestSupport
import Testing

/// The made-up files of providers, held against the publisher's, column by column.
@Suite("A sample of NPPES")
struct ProviderSampleTests {
  private static let folder = "directory/nppes/"
  private static let main = "npidata_pfile_20050523-20251109.csv"
  private static let besides = ["pl", "othername", "endpoint"]
  /// Shares may be so far apart: 0.03 is three of a hundred records.
  private static let distance = 0.03

  /// What the records of a file hold, as shares of them.
  private struct Content {
    var names: [String] = []
    var records = 0
    /// In how many records a column is not empty.
    var filled: [Int] = []
    /// How often the values of some columns occur; and of each kind of entity, how often how many taxonomies
    /// and identifiers.
    var counted: [String: Int] = [:]

    private static let coded = [
      "Entity Type Code", "Provider Sex Code", "Is Sole Proprietor", "Is Organization Subpart",
      "Provider Other Organization Name Type Code", "Provider Other Last Name Type Code",
      "Healthcare Provider Primary Taxonomy Switch_1", "Other Provider Identifier Type Code_1",
      "Other Provider Identifier Type Code_2", "Endpoint Type", "Use Code", "Content Type", "Affiliation",
    ]

    /// Reads a file of which every field is in quotes, and no quotes are in fields.
    init(_ path: String) throws {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      var entityAt: Int?
      var slots: [(kind: String, places: [Int])] = []
      var coded: [(name: String, place: Int)] = []
      for line in bytes.split(separator: 0x0A) {
        let fields = Self.fields(line)
        guard !names.isEmpty else {
          names = fields.map { String(decoding: line[$0], as: UTF8.self) }
          filled = names.map { _ in 0 }
          entityAt = names.firstIndex(of: "Entity Type Code")
          coded = Self.coded.compactMap { name in names.firstIndex(of: name).map { (name, $0) } }
          slots = [
            ("taxonomies", "Healthcare Provider Taxonomy Code_"),
            ("identifiers", "Other Provider Identifier_"),
          ].map { kind, start in (kind, names.indices.filter { names[$0].hasPrefix(start) }) }
          continue
        }
        records += 1
        for place in fields.indices where !fields[place].isEmpty { filled[place] += 1 }
        for (name, place) in coded {
          counted["\(name) \(String(decoding: line[fields[place]], as: UTF8.self))", default: 0] += 1
        }
        guard let entityAt else { continue }
        let entity = String(decoding: line[fields[entityAt]], as: UTF8.self)
        for (kind, places) in slots {
          let count = places.reduce(0) { $0 + (fields[$1].isEmpty ? 0 : 1) }
          counted["\(kind) of entity type \(entity): \(count)", default: 0] += 1
        }
      }
    }

    /// The places of a line's fields, without their quotes.
    private static func fields(_ line: ArraySlice<UInt8>) -> [Range<Int>] {
      var fields: [Range<Int>] = []
      var start: Int?
      for place in line.indices where line[place] == 0x22 {
        if let begun = start {
          fields.append(begun..<place)
          start = nil
        } else {
          start = place + 1
        }
      }
      return fields
    }

    /// Of each column, by its name, and of what is counted.
    var shares: [String: Double] {
      let columns = zip(names, filled).map { ($0, Double($1) / Double(records)) }
      return counted.mapValues { Double($0) / Double(records) }.merging(columns) { $1 }
    }
  }

  /// What is farther apart than allowed.
  private func differences(_ real: String, _ made: String) throws -> [String] {
    let (real, made) = (try Content(SharedData.path(Self.folder + real)), try Content(made))
    #expect(real.names == made.names && real.records > 0 && made.records > 0)
    let (expected, found) = (real.shares, made.shares)
    return Set(expected.keys).union(found.keys).sorted().compactMap { name in
      let pair = (expected[name] ?? 0, found[name] ?? 0)
      return abs(pair.0 - pair.1) > Self.distance ? "\(name): \(pair.0) in fact, \(pair.1) here" : nil
    }
  }

  @Test(
    "has as many records of each kind, with as many taxonomies and identifiers and as much in each column",
    .needs(folder + main))
  func providers() throws {
    let path = try ProviderFiles.sample.get().path + "/sample/" + Self.main
    #expect(try differences(Self.main, path) == [])
    #expect(try Content(path).records == ProviderFiles.sampleRows)
  }

  @Test(
    "has as much in each column of the files of places, names and endpoints",
    .needs(folder + "pl_pfile_20251103-20251109.csv"), arguments: besides)
  func beside(file: String) throws {
    let path = try ProviderFiles.sample.get().path + "/sample/\(file)_pfile_20050523-20251109.csv"
    #expect(try differences("\(file)_pfile_20251103-20251109.csv", path) == [])
  }
}
