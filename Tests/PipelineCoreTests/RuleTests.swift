import Definitions
import PipelineCore
import Testing

@Suite("A table held against that of the release before")
struct ReleaseComparisonTests {
  private typealias Counts = TableProfile.Counts

  private func profile(_ classes: [TableProfile.Class: Counts]) -> TableProfile {
    var profile = TableProfile()
    profile.classes = classes
    return profile
  }

  private func comparison(
    _ before: [TableProfile.Class: Counts], _ now: [TableProfile.Class: Counts], lacking: String? = nil,
    withholds: Bool = false
  ) throws -> ReleaseComparison {
    ReleaseComparison(
      source: try Known.pipeline("cms-rvu").sources[0], classes: [("cf_class", "all")],
      previous: PreviousTable(release: "2025D", partition: "cms.rvu_1", rows: 60, lacking: lacking),
      now: profile(now), before: profile(before), withholdsValues: withholds)
  }

  private static func rows(_ counts: [String: Int]) -> [TableProfile.Class: Counts] {
    Dictionary(uniqueKeysWithValues: counts.map { ([$0.key], Counts(rows: $0.value)) })
  }

  @Test(
    arguments: [
      (["all": 60], ["all": 61], nil, 0, "61 rows after 60 in 2025D, +1.7%; 10% is allowed"),
      (["all": 60], ["all": 67], nil, 7, "67 rows after 60 in 2025D, +11.7%; 10% is allowed"),
      (["all": 18_865], ["all": 19_090], nil, 0, "19,090 rows after 18,865 in 2025D, +1.2%; 10% is allowed"),
      (["all": 0], ["all": 5], nil, 5, "5 rows after 0 in 2025D, from nothing; 10% is allowed"),
      (
        ["all": 60], ["all": 60], "2025B", 0,
        "60 rows after 60 in 2025D, 0%; 2025B without the table passed over; 10% is allowed"
      ),
      // What is of all classes before is that of each now, or the other way round.
      (
        ["all": 60], ["non_qp": 60, "qp": 59], nil, 0,
        "cf_class non_qp: 60 rows after 60 in 2025D, 0%; cf_class qp: 59 rows after 60 in 2025D, -1.7%; "
          + "10% is allowed"
      ),
      (
        ["non_qp": 60, "qp": 59], ["non_qp": 60, "qp": 50], nil, 9,
        "cf_class qp: 50 rows after 59 in 2025D, -15.3%; 10% is allowed"
      ),
      (
        ["non_qp": 60, "qp": 59], ["non_qp": 60], nil, 59,
        "cf_class qp: 0 rows after 59 in 2025D, -100%; 10% is allowed"
      ),
      (
        ["non_qp": 60], ["non_qp": 60, "qp": 59], nil, 0,
        "cf_class non_qp: 60 rows after 60 in 2025D, 0%; cf_class qp: new since 2025D; 10% is allowed"
      ),
    ] as [([String: Int], [String: Int], String?, Int, String)])
  func `Rows are counted class by class`(
    before: [String: Int], now: [String: Int], lacking: String?, found: Int, about: String
  ) throws {
    let comparison = try comparison(Self.rows(before), Self.rows(now), lacking: lacking)
    let limit = try #require(comparison.source.expectation.rowChange)
    try #require(limit.percent == 10 && limit.severity == .fail, "the pipeline has changed")
    let gate = comparison.judgeRows(limit)
    #expect(gate.found == found && gate.passed == (found == 0), "\(gate)")
    #expect(gate.about == about)
    #expect(gate.rule == "row-change-pprrvu")
  }

  @Test(arguments: [(1010, 0, false), (1030, 30, true), (970, 30, true), (1100, 100, true)])
  func `Rows that moved by more than what is common are reported, and allowed`(
    now: Int, found: Int, isOdd: Bool
  ) throws {
    let comparison = try comparison(Self.rows(["all": 1000]), Self.rows(["all": now]))
    let limit = try #require(comparison.source.expectation.rowChange)
    try #require(limit.warnPercent == 2, "the pipeline has changed")
    let gate = comparison.judgeRows(limit)
    #expect(gate.passed && gate.found == found && gate.isOdd == isOdd, "\(gate)")
  }

  @Test(
    arguments: [
      (0, 0, true, "Every key of 2025D revision 1 is there"),
      (2, 0, true, "2 of 200 keys of 2025D revision 1 are gone, such as A, B"),
      (3, 0, false, "3 of 200 keys of 2025D revision 1 are gone, such as A, B"),
      (1, 1, false, "1 of 200 keys of 2025D revision 1 are gone, such as A, B"),
    ])
  func `A revision keeps the keys of the one that it replaces`(
    lost: Int, forbidden: Int, passes: Bool, about: String
  ) throws {
    let source = try Known.pipeline("cms-rvu").sources[0]
    let rule = try #require(source.expectation.lostKeys)
    try #require(rule.limit.percent == 1 && rule.never != nil, "the pipeline has changed")
    let replaced = PreviousTable(
      release: "2025D revision 1", partition: "cms.rvu_1", rows: 200, lacking: nil)
    let gate = LostKeys(count: lost, forbidden: forbidden, examples: lost == 0 ? [] : ["A", "B"])
      .judge(source, rule, of: replaced)
    #expect(gate.rule == "lost-keys-pprrvu" && gate.found == lost && gate.passed == passes, "\(gate)")
    #expect(gate.isOdd == (lost > 0) && gate.about.hasPrefix(about + "; 1% are allowed"), "\(gate)")
  }

  @Test func `Shares and sums move within their limits, and tell no value that is withheld`() throws {
    func counts(_ active: Int, _ sum: String) -> [TableProfile.Class: Counts] {
      [
        ["all"]: Counts(
          rows: 60, values: ["status_code": ["A": active, nil: 60 - active]], sums: ["work_rvu": sum])
      ]
    }
    func judge(_ measure: Definitions.Expectation.Drift.Measure, withholds: Bool = false) throws -> GateReport
    {
      let comparison = try comparison(counts(30, "100.00"), counts(27, "80.00"), withholds: withholds)
      var drift = try #require(comparison.source.expectation.drifts.first { $0.measure == measure })
      (drift.limit.percent, drift.limit.severity) = (4, .warn)
      return comparison.judge(drift)
    }
    let share = try judge(.shareOf)
    #expect(share.found == 2 && share.passed && share.isOdd)
    #expect(
      share.about.contains("the share of 'A' in status_code is 45% after 50% in 2025D"), "\(share.about)")
    #expect(share.about.contains("the share of no value in status_code is 55% after 50% in 2025D"))
    let sum = try judge(.sumOf)
    #expect(sum.about == "the sum of work_rvu is 80.00 after 100.00 in 2025D, -20%; 4% is allowed")
    #expect(try judge(.shareOf, withholds: true).about.contains("the share of one value in"))
    #expect(
      try judge(.sumOf, withholds: true).about
        == "the sum of work_rvu moved since 2025D, -20%; 4% is allowed")
  }
}

@Suite("The rules over what was counted")
struct CountedRulesTests {
  private func rules(_ outcome: LoadOutcome, isSynthetic: Bool = false) throws -> CountedRules {
    let pipeline = try Known.pipeline("cms-rvu")
    return CountedRules(
      pipeline, .release(try ReleaseIdentity(loaded: "2025D", pipeline: pipeline)), [outcome],
      isSynthetic: isSynthetic)
  }

  @Test func `Rows that were there already count beside those of corrected records`() throws {
    let source = try Known.pipeline("cms-rvu").sources[0]
    let least = try #require(source.expectation.leastRows)
    let leastOfSample = try #require(source.expectation.leastSampleRows)
    let cases = [
      (least - 1, false, true), (least - 2, false, false), (leastOfSample - 1, true, true),
      (leastOfSample - 2, true, false),
    ]
    for (copied, isSynthetic, passed) in cases {
      var outcome = Known.outcome(source, read: 1)
      outcome.copied = copied
      let gate = try #require(try rules(outcome, isSynthetic: isSynthetic).rowCounts.first)
      #expect(gate.passed == passed && gate.found == copied + 1)
      let about = isSynthetic ? "\(leastOfSample) rows at least of a sample" : "\(least) rows at least"
      #expect(gate.about == "There must be \(about)")
    }
  }

  @Test func `Rows that share a key are found in each table, and odd values are reported only`() throws {
    let source = try Known.pipeline("cms-rvu").sources[0]
    var outcome = Known.outcome(source)
    outcome.duplicateKeys = ["cms.rvu": 2, "cms.other": 1]
    outcome.reports[0].unknownCodes = ["status_code": 3]
    outcome.reports[0].oddValues = ["hcpcs": 1, "endo_base": 4]
    let keys = try rules(outcome).uniqueKeys
    #expect(keys.map(\.rule) == ["unique-key-pprrvu"] && keys[0].found == 3 && keys[0].refuses)
    #expect(keys[0].about == "Rows have a key that others have: cf_class, hcpcs, modifier")
    let odd = try rules(outcome).oddValues
    #expect(odd.map(\.rule) == ["known-codes-pprrvu", "odd-values-pprrvu"])
    #expect(odd.map(\.found) == [3, 5] && odd.allSatisfy { !$0.refuses })
  }

  @Test func `Formats that differ in rows, numbers or codes refuse, in wording they do not`() {
    func check(_ change: (inout CrossCheck) -> Void) -> GateReport {
      var check = CrossCheck(source: "gpci", formats: ("csv", "txt"))
      change(&check)
      return check.gate
    }
    let cases: [((inout CrossCheck) -> Void, Int, Bool, String)] = [
      ({ $0.onlyInSecond = 3 }, 3, false, "csv and txt differ: rows only in txt 3"),
      ({ $0.rejected = 1 }, 1, false, "csv and txt differ: refused records 1"),
      (
        {
          $0.columns = ["pe_gpci": 1]
          $0.weighty = 1
        }, 1, false, "csv and txt differ: pe_gpci 1"
      ),
      ({ $0.columns = ["locality_name": 5] }, 5, true, "csv and txt differ in wording: locality_name 5"),
    ]
    for (change, found, passed, about) in cases {
      let gate = check(change)
      #expect(gate.rule == "cross-check-gpci-txt" && gate.found == found && gate.passed == passed)
      #expect(gate.about == about && gate.isOdd)
    }
  }
}
