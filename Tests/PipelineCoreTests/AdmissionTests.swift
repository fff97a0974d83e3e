import Definitions
import PipelineCore
import Testing

@Suite("Whether a bundle may be loaded")
struct AdmissionTests {
  private let pipeline: Pipeline
  private let release: ReleaseIdentity

  init() throws {
    pipeline = try Known.pipeline("cms-rvu")
    release = try ReleaseIdentity(loaded: "2025D", pipeline: pipeline)
  }

  private func judge(
    _ facts: Admission.Facts, targets: [String] = ["cms.rvu"], emptyTargets: [String] = [],
    isForced: Bool = false, isKnown: Bool = false
  ) throws -> RunError? {
    var request = RunRequest(source: "/in/RVU25D.zip")
    request.isForced = isForced
    let bundle = try Known.bundle(["PPRRVU25.csv"], at: "/in/RVU25D.zip", pipeline)
    let named = try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, given: "2025D")
    let plan = try LoadPlan(
      request, bundle, entries: try bundle.entries.map(Known.headed(pipeline)), others: [], period: nil,
      named: named, pipeline: pipeline)
    do throws(RunError) {
      try Admission(plan, of: release, targets: targets, emptyTargets: emptyTargets).judge(
        facts, isKnown: isKnown)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Nothing published is nothing in the way`() throws {
    #expect(try judge(Admission.Facts()) == nil)
  }

  @Test func `A release of another pipeline is in the way, forced or not`() throws {
    let facts = Admission.Facts(owner: ("others", "cms.rvu"))
    for isForced in [false, true] {
      guard case .releaseOfAnother("2025D", "others", "cms.rvu")? = try judge(facts, isForced: isForced)
      else {
        Issue.record("it was let pass")
        return
      }
    }
  }

  @Test func `Tables that are published must not be hidden`() throws {
    let facts = Admission.Facts(publishedTargets: [("cms.rvu", 10), ("cms.gpci", 5)])
    guard case .wouldHide(_, ["cms.gpci"])? = try judge(facts) else {
      Issue.record("it was let pass")
      return
    }
    #expect(try judge(facts, isForced: true) == nil)
    #expect(try judge(facts, isKnown: true) == nil)
    #expect(try judge(facts, targets: ["cms.rvu", "cms.gpci"]) == nil)
    // A table that stays empty hides the rows of one that is not.
    let empty = try judge(facts, targets: ["cms.rvu", "cms.gpci"], emptyTargets: ["cms.gpci"])
    guard case .wouldHide? = empty else {
      Issue.record("it was let pass")
      return
    }
  }

  @Test func `Changes that were merged must not be lost`() throws {
    let facts = Admission.Facts(mergedUntil: "2025-11-09")
    guard case .wouldLoseChanges(_, "2025-11-09")? = try judge(facts) else {
      Issue.record("it was let pass")
      return
    }
    #expect(try judge(facts, isForced: true) == nil)
  }

  @Test func `A later file is not replaced by an earlier one`() throws {
    let hcpcs = try Known.pipeline("cms-hcpcs")
    let source = try #require(hcpcs.sources.first { $0.latest != nil })
    let names = ["V1_HCPC2018_Corrections.xlsx", "V2_HCPC2018_Corrections.xlsx"]
    let numbers = names.compactMap(source.number(of:))
    try #require(numbers == [1, 2], "the pattern of the pipeline has changed")
    let bundle = try Known.bundle([names[0]], hcpcs)
    let named = try ReleaseIdentity.named(bundle: bundle, pipeline: hcpcs, given: "2018A")
    let plan = try LoadPlan(
      RunRequest(source: "/in"), bundle, entries: try bundle.entries.map(Known.headed(hcpcs)), others: [],
      period: nil, named: named, pipeline: hcpcs)
    let facts = Admission.Facts(publishedEntries: [source.name: [names[1]]])
    #expect {
      try Admission(
        plan, of: try ReleaseIdentity(loaded: "2018A", pipeline: hcpcs), targets: [], emptyTargets: []
      ).judge(facts, isKnown: false)
    } throws: { error in
      guard case RunError.earlierFile(_, names[0], names[1]) = error else { return false }
      return true
    }
  }
}

@Suite("The sums of a source")
struct RecordSumsTests {
  @Test func `Every record read is loaded, rejected or skipped`() throws {
    let source = try Known.pipeline("cms-rvu").sources[0]
    #expect(Known.outcome(source, read: 10, rejected: 2, skipped: 3).refusalOfSums == nil)
    var lost = Known.outcome(source)
    lost.reports[0].read = 11
    guard case .countsDoNotAddUp? = lost.refusalOfSums else {
      Issue.record("a record was lost in silence")
      return
    }
  }

  @Test func `A child table has at most a row for each slot of a record`() throws {
    let source = try Known.pipeline("cms-rvu").sources[0]
    for (rows, slots, fits) in [(20, 2, true), (21, 2, false), (1000, nil, true)] as [(Int, Int?, Bool)] {
      var outcome = Known.outcome(source)
      outcome.slots["cms.child"] = .some(slots)
      outcome.reports[0].targets["cms.child"] = rows
      #expect((outcome.refusalOfSums == nil) == fits)
    }
  }

  @Test func `A record that several sources read counts once`() {
    var one = SourceReport(sourceFileID: 1, source: "a", file: "f", entry: nil)
    var two = SourceReport(sourceFileID: 2, source: "b", file: "f", entry: nil)
    (one.read, two.read) = (10, 10)
    (one.rejected, two.rejected, two.refusedBefore) = (2, 3, 2)
    #expect([one, two].records == (10, 3))
  }
}

@Suite("The sequence of periods")
struct PeriodSequenceTests {
  private func sequence(_ merged: [(String, String)] = []) -> PeriodSequence {
    PeriodSequence(
      release: "nppes-2025-11", beginning: "2025-11-09", changing: ["deactivations"],
      merged: merged.enumerated().map { index, days in
        PeriodSequence.Merged(
          run: index + 1, source: "providers", period: Period(from: days.0, to: days.1),
          fileHashes: ["\(index)"])
      })
  }

  private func judge(
    _ from: String, _ to: String, after merged: [(String, String)] = [], hash: String = "new",
    allowsGap: Bool = false, isForced: Bool = false
  ) throws -> PeriodSequence.Verdict {
    try sequence(merged).judge(
      Period(from: from, to: to), [PeriodSequence.Offer(source: "providers", fileHashes: [hash])],
      allowsGap: allowsGap, isForced: isForced)
  }

  private func problem(_ judge: () throws -> PeriodSequence.Verdict) -> PeriodMismatch.Problem? {
    do {
      _ = try judge()
      return nil
    } catch RunError.outOfSequence(let mismatch) {
      return mismatch.problem
    } catch {
      Issue.record(error)
      return nil
    }
  }

  @Test func `The next period begins on the day after the last`() throws {
    #expect(try judge("2025-11-10", "2025-11-16") == .next)
    #expect(try judge("2025-11-17", "2025-11-23", after: [("2025-11-10", "2025-11-16")]) == .next)
  }

  @Test func `A gap is refused unless it is allowed`() throws {
    #expect(problem { try judge("2025-11-17", "2025-11-23") } == .gap)
    #expect(try judge("2025-11-17", "2025-11-23", allowsGap: true) == .next)
  }

  @Test func `What the release holds is known, or overlaps`() throws {
    #expect(problem { try judge("2025-11-03", "2025-11-09") } == .known)
    #expect(problem { try judge("2025-11-03", "2025-11-16") } == .overlapping)
  }

  @Test func `The same files again are the same run`() throws {
    let merged = [("2025-11-10", "2025-11-16")]
    #expect(try judge("2025-11-10", "2025-11-16", after: merged, hash: "0") == .repeated(run: 1))
    #expect(problem { try judge("2025-11-10", "2025-11-16", after: merged) } == .known)
    #expect(try judge("2025-11-10", "2025-11-16", after: merged, isForced: true) == .next)
  }
}

@Suite("The clock of a run's stages")
struct StageClockTests {
  @Test func `Stages follow each other`() {
    var clock = StageClock()
    clock.add("discover", seconds: 0.5)
    clock.start("stage", at: 10)
    clock.waited(until: 12)
    clock.count(100)
    #expect(clock.reports.map(\.seconds) == [0.5, nil])
    #expect(clock.reports(endedAt: 14).map(\.seconds) == [0.5, 2])
    clock.start("check", at: 15)
    clock.stop(at: 16)
    #expect(clock.reports.map(\.seconds) == [0.5, 3, 1])
    #expect(clock.reports.map(\.records) == [nil, 100, nil])
    #expect(clock.reports[1].recordsPerSecond == 33)
  }
}
