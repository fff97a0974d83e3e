import Definitions
import Testing

@testable import Sampler

@Suite("What a sample holds, holds together as in a release")
struct SampleInvariantTests {
  static let sizes = [10, 11, 12, 57, 1_500]

  @Test("The number of rows is the one asked for, each code and modifier once", arguments: sizes)
  func rows(count: Int) throws {
    let rows = try Sample(rows: count, seed: 7).rows("pprrvu")
    #expect(rows.count == count)
    #expect(Set(rows.map { "\($0["hcpcs"] ?? "")-\($0["modifier"] ?? "")" }).count == count)
    for code in rows.compactMap({ $0["hcpcs"] }) {
      #expect(code.wholeMatch(of: /[0-9]{5}|[0-9]{4}[FT]|[A-V][0-9]{4}/) != nil, "\(code) has no code's form")
    }
    #expect(rows.contains { $0["hcpcs"] == "99213" && $0["status_code"] == "A" })
  }

  @Test("Totals are work, practice expense and malpractice", arguments: sizes)
  func totals(count: Int) throws {
    for row in try Sample(rows: count, seed: 8).rows("pprrvu") {
      func value(_ name: String) -> Int { units(row[name], scale: 2) }
      #expect(value("nonfac_total") == value("work_rvu") + value("nonfac_pe_rvu") + value("mp_rvu"))
      #expect(value("fac_total") == value("work_rvu") + value("fac_pe_rvu") + value("mp_rvu"))
      if ["A", "T"].contains(row["status_code"]) {
        #expect(value("fac_total") > 0 && value("nonfac_total") > 0, "\(row) is paid from nothing")
        #expect(row["not_used_for_medicare"] == "")
      }
      if ["C", "J", "E", "M"].contains(row["status_code"]) { #expect(value("nonfac_total") == 0) }
    }
  }

  @Test("A global service is the sum of its parts")
  func parts() throws {
    let rows = try Sample(rows: 1_500).rows("pprrvu")
    let codes = Dictionary(grouping: rows) { $0["hcpcs"] ?? "" }.filter { $0.value.count == 3 }
    #expect(codes.count > 50)
    for (code, parts) in codes {
      #expect(parts.map { $0["modifier"] } == ["", "26", "TC"])
      guard parts.allSatisfy({ $0["status_code"] == "A" }) else { continue }
      for column in ["work_rvu", "nonfac_pe_rvu", "fac_pe_rvu", "mp_rvu"] {
        let values = parts.map { units($0[column], scale: 2) }
        #expect(values[0] == values[1] + values[2], "\(code): \(column)")
      }
      #expect(parts.map { $0["fac_na"] } == ["NA", "", "NA"])
    }
  }

  @Test("Statuses come in shares like those of a release")
  func statuses() throws {
    let rows = try Sample(rows: 4_000).rows("pprrvu")
    let counts = Dictionary(grouping: rows) { $0["status_code"] ?? "" }.mapValues(\.count)
    let shares = [
      "A": 0.40...0.55, "X": 0.09...0.18, "E": 0.05...0.12, "I": 0.04...0.11, "C": 0.04...0.10,
      "M": 0.04...0.10, "R": 0.03...0.08, "N": 0.005...0.03, "J": 0.01...0.02, "B": 0.001...0.02,
      "P": 0.002...0.02, "T": 0.0001...0.003,
    ]
    for (status, share) in shares {
      let found = Double(counts[status] ?? 0) / 4_000
      #expect(share.contains(found), "\(status): \(found)")
    }
    let restricted = rows.filter { $0["status_code"] == "R" }
    let unpriced = restricted.count { $0["nonfac_total"] == "0.00" }
    #expect(unpriced > restricted.count * 3 / 4 && unpriced < restricted.count)
    #expect(rows.contains { $0["nonfac_na"] == "NA" })
  }

  @Test("Even the smallest sample has a row of each way to be priced")
  func smallest() throws {
    let rows = try Sample(rows: 10).rows("pprrvu")
    let statuses = Set(rows.compactMap { $0["status_code"] })
    #expect(
      statuses.isSuperset(of: ["A", "B", "C", "J", "R", "X"])
        || statuses.isSuperset(of: ["A", "B", "C", "J", "R"]))
    #expect(rows.contains { $0["status_code"] == "R" && $0["nonfac_total"] == "0.00" })
    #expect(try !Sample(rows: 10).rows("oppscap").isEmpty)
  }

  @Test("OPPSCAP's prices are the formula's, to the cent", arguments: [10, 1_500])
  func caps(count: Int) throws {
    let sample = try Sample(rows: count, seed: 3)
    let services = try Dictionary(
      uniqueKeysWithValues: sample.rows("pprrvu").map { ("\($0["hcpcs"] ?? "")-\($0["modifier"] ?? "")", $0) }
    )
    let places = try Dictionary(
      uniqueKeysWithValues: sample.rows("gpci").map { ("\($0["mac"] ?? "")-\($0["locality"] ?? "")", $0) })
    let caps = try sample.rows("oppscap")
    var checked = 0
    for cap in caps {
      let code = cap["hcpcs"] ?? ""
      let service = try #require(services["\(code)-\(cap["modifier"] ?? "")"])
      #expect(service["status_code"] == cap["status_code"])
      // A price under a contractor that has not the locality is that of the contractor that has.
      let own = "\(cap["mac"] ?? "")-\(cap["locality"] ?? "")"
      let place = try #require(places[own] ?? places["01182-\(cap["locality"] ?? "")"])
      let isContractors = cap["status_code"] == "C"
      let worker = isContractors && cap["modifier"] == "" ? services["\(code)-26"] : service
      let work = units(worker?["work_rvu"], scale: 2)
      func amount(_ pe: String, _ mp: String) -> Int {
        let sum =
          work * units(place["work_gpci"], scale: 3)
          + units(service[pe], scale: 2) * units(place["pe_gpci"], scale: 3)
          + units(service[mp], scale: 2) * units(place["mp_gpci"], scale: 3)
        // Nine digits after the point, two are kept: half of the rest rounds away from zero.
        return (sum * units(service["conversion_factor"], scale: 4) + 5_000_000) / 10_000_000
      }
      let ceilings = (amount("fac_pe_opps", "mp_opps"), amount("nonfac_pe_opps", "mp_opps"))
      let payments = (amount("fac_pe_rvu", "mp_rvu"), amount("nonfac_pe_rvu", "mp_rvu"))
      let facility = isContractors ? ceilings.0 : min(ceilings.0, payments.0)
      let nonfacility = isContractors ? ceilings.1 : min(ceilings.1, payments.1)
      #expect(units(cap["facility_price"], scale: 2) == facility, "\(cap)")
      #expect(units(cap["nonfacility_price"], scale: 2) == nonfacility, "\(cap)")
      checked += 1
    }
    #expect(checked == caps.count && checked.isMultiple(of: 115) && checked >= 230)
    if count > 1_000 {
      #expect(Set(caps.map { $0["status_code"] }) == ["A", "C"])
      #expect(caps.contains { $0["status_code"] == "C" && $0["modifier"] == "" })
    }
  }

  @Test("Six localities of California are copied under the contractor beside")
  func copies() throws {
    let sample = try Sample(rows: 200)
    let places = Set(try sample.rows("gpci").map { "\($0["mac"] ?? "")-\($0["locality"] ?? "")" })
    #expect(places.count == 109)
    let caps = try sample.rows("oppscap")
    let named = Set(caps.map { "\($0["mac"] ?? "")-\($0["locality"] ?? "")" })
    #expect(
      named.subtracting(places) == ["01112-17", "01112-18", "01112-71", "01112-72", "01112-73", "01112-74"])
    func prices(_ mac: String, _ locality: String) -> [[String?]] {
      caps.filter { $0["mac"] == mac && $0["locality"] == locality }.map {
        [$0["hcpcs"], $0["modifier"], $0["facility_price"], $0["nonfacility_price"]]
      }
    }
    for locality in ["17", "18", "71", "72", "73", "74"] {
      #expect(prices("01112", locality) == prices("01182", locality))
    }
  }

  @Test("Every locality has indices, an anaesthesia factor and counties; one has them twice")
  func localities() throws {
    let sample = try Sample(rows: 10)
    let places = try sample.rows("gpci").map { "\($0["mac"] ?? "")-\($0["locality"] ?? "")" }
    let factors = try sample.rows("anes")
    #expect(factors.map { "\($0["mac"] ?? "")-\($0["locality"] ?? "")" } == places)
    for factor in factors { #expect((1_000...6_000).contains(units(factor["conversion_factor"], scale: 2))) }
    // A spreadsheet has taken the leading zeros off.
    let counties = try sample.rows("locco").map { row in
      let (mac, locality) = (row["mac"] ?? "", row["locality"] ?? "")
      return String(repeating: "0", count: 5 - mac.count) + mac + "-" + (locality.count == 1 ? "0" : "")
        + locality
    }
    #expect(counties.sorted() == (places + ["05302-99"]).sorted())
  }

  @Test("A block of the county list names its state once, and a blank record parts it from the next")
  func blocks() throws {
    let sample = try Sample(rows: 10)
    let start = try sample.header("locco").lastRow + 2
    let records = sample.records("locco")[start...]
    var isAfterBlank = true
    for record in records.prefix(while: { !$0[0].hasPrefix("*") }) {
      let isBlank = record.allSatisfy(\.isEmpty)
      if !isBlank { #expect(record[2].isEmpty != isAfterBlank, "\(record)") }
      isAfterBlank = isBlank
    }
  }
}
