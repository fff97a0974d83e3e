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
    let named = try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, request: request)
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
      let refusal = try judge(facts, isForced: isForced)
      #expect(refusal?.description.hasPrefix("cms.rvu has a release 2025D of the pipeline others") == true)
    }
  }

  @Test func `Tables that are published must not be hidden`() throws {
    let facts = Admission.Facts(publishedTargets: [("cms.rvu", 10), ("cms.gpci", 5)])
    let hides = "2025D is published with cms.gpci, which this bundle lacks"
    #expect(try judge(facts)?.description.hasPrefix(hides) == true)
    #expect(try judge(facts, isForced: true) == nil)
    #expect(try judge(facts, isKnown: true) == nil)
    #expect(try judge(facts, targets: ["cms.rvu", "cms.gpci"]) == nil)
    // A table that stays empty hides the rows of one that is not.
    let empty = try judge(facts, targets: ["cms.rvu", "cms.gpci"], emptyTargets: ["cms.gpci"])
    #expect(empty?.description.hasPrefix(hides) == true)
  }

  @Test func `What a sample had is not missed by what is real`() throws {
    let sample = Admission.Facts(
      publishedTargets: [("cms.rvu", 10), ("cms.gpci", 5)], mergedUntil: "2025-11-09", replacesSample: true)
    #expect(try judge(sample) == nil)
    let others = Admission.Facts(owner: ("others", "cms.rvu"), replacesSample: true)
    #expect(try judge(others) != nil)
  }

  @Test func `Changes that were merged must not be lost`() throws {
    let facts = Admission.Facts(mergedUntil: "2025-11-09")
    #expect(try judge(facts)?.description.hasPrefix("2025D holds changes until 2025-11-09") == true)
    #expect(try judge(facts, isForced: true) == nil)
  }

  @Test(
    arguments: [
      (true, true, false, true), (true, true, true, false), (true, false, false, false),
      (false, true, false, false),
    ])
  func `A sample does not take the place of real files`(
    isSample: Bool, isReal: Bool, isForced: Bool, isRefused: Bool
  ) throws {
    var request = RunRequest(source: "/in/RVU25D.zip")
    request.isForced = isForced
    let bundle = try Known.bundle(["PPRRVU25.csv"], at: "/in/RVU25D.zip", pipeline)
    let plan = try LoadPlan(
      request, bundle, entries: try bundle.entries.map(Known.headed(pipeline)), others: [], period: nil,
      named: try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, request: request),
      pipeline: pipeline)
    do throws(RunError) {
      try Admission.requireReal(plan, isSample: isSample, for: "2025D", isReal: isReal)
      #expect(!isRefused)
    } catch {
      #expect(isRefused && "\(error)".hasPrefix("the files say that they are a sample, and 2025D"))
    }
  }

  @Test(
    arguments: [
      (["PPRRVU25.csv"], "", false), (["PPRRVU25.csv"], "SYNTHETIC SAMPLE, NOT FOR BILLING", true),
      (["PPRRVU25.csv", "README SYNTHETIC SAMPLE.txt"], "", true),
    ])
  func `A sample is known by its banner`(names: [String], banner: String, isSample: Bool) throws {
    try #require(pipeline.synthetic?.text == "SYNTHETIC SAMPLE")
    #expect(try plan(names, banner: banner, pipeline).isSynthetic(by: pipeline.synthetic) == isSample)
  }

  @Test(
    arguments: [
      (["ZIP5_OCT2025.txt"], "/in", false),
      (["ZIP5_OCT2025.txt", "README SYNTHETIC SAMPLE.txt"], "/in", true),
      (["ZIP5_OCT2025 synthetic_sample.txt"], "/in", true), (["ZIP5_OCT2025.txt"], "/synthetic-sample", true),
      (["ZIP5_OCT2025.txt"], "/synthetic-samples/in", false),
    ])
  func `A sample is known by a name`(names: [String], path: String, isSample: Bool) throws {
    let places = try Known.pipeline("cms-zip5")
    #expect(try plan(names, at: path, places).isSynthetic(by: places.synthetic) == isSample)
  }

  private func plan(
    _ names: [String], at path: String = "/in", banner: String = "", _ pipeline: Pipeline
  ) throws -> LoadPlan {
    var request = RunRequest(source: path)
    request.release = "2025D"
    let bundle = try Known.bundle(names, at: path, pipeline)
    return try LoadPlan(
      request, bundle, entries: try bundle.entries.map(Known.headed(pipeline, banner: banner)), others: [],
      period: nil, named: try ReleaseIdentity.named(bundle: bundle, pipeline: pipeline, request: request),
      pipeline: pipeline)
  }

  @Test func `A later file is not replaced by an earlier one`() throws {
    let hcpcs = try Known.pipeline("cms-hcpcs")
    let source = try #require(hcpcs.sources.first { $0.latest != nil })
    let names = ["V1_HCPC2018_Corrections.xlsx", "V2_HCPC2018_Corrections.xlsx"]
    let numbers = names.compactMap(source.number(of:))
    try #require(numbers == [1, 2], "the pattern of the pipeline has changed")
    let bundle = try Known.bundle([names[0]], hcpcs)
    let named = try ReleaseIdentity.named(
      bundle: bundle, pipeline: hcpcs, request: RunRequest(source: "/in"))
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
    #expect(lost.refusalOfSums?.description.contains("11 records read are not 10 loaded") == true)
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
  private typealias Days = (from: String, to: String)

  /// The days of other sources that were merged.
  private func judge(
    _ from: String, _ to: String, of source: String = "providers", asOf: Bool = false,
    after merged: [Days] = [],
    others: [(source: String, days: Days)] = [], hash: String = "new", allowsGap: Bool = false,
    isForced: Bool = false
  ) throws -> PeriodSequence.Verdict {
    let all = merged.map { (source, $0) } + others.map { ($0.source, $0.days) }
    let sequence = PeriodSequence(
      release: "nppes-2025-11", beginning: "2025-11-09", changing: ["deactivations"],
      merged: all.enumerated().map { index, merged in
        PeriodSequence.Merged(
          run: index + 1, source: merged.0, period: Period(from: merged.1.from, to: merged.1.to),
          fileHashes: ["\(index)"])
      })
    return try sequence.judge(
      Period(from: from, to: to, isAsOf: asOf), [PeriodSequence.Offer(source: source, fileHashes: [hash])],
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

  @Test func `The same entries are known in other files, where somebody has looked at them`() throws {
    let week = Period(from: "2025-11-10", to: "2025-11-16")
    let sequence = PeriodSequence(
      release: "nppes-2025-11", beginning: "2025-11-09", changing: [],
      merged: [
        PeriodSequence.Merged(run: 7, source: "a", period: week, fileHashes: ["zip"], entryHashes: ["csv"])
      ])
    func run(_ files: [String], _ entries: [String] = [], of source: String = "a") -> Int? {
      sequence.repeats(
        week, [PeriodSequence.Offer(source: source, fileHashes: files, entryHashes: entries)])
    }
    #expect(run(["zip"]) == 7 && run(["other"], ["csv"]) == 7)
    #expect(run(["other"]) == nil && run(["other"], ["another"]) == nil && run(["zip"], of: "b") == nil)
  }

  @Test func `What the release holds is known, or overlaps`() throws {
    #expect(problem { try judge("2025-11-03", "2025-11-09") } == .known)
    #expect(problem { try judge("2025-11-03", "2025-11-16") } == .overlapping)
  }

  @Test func `Each source has a sequence of its own, and a period of one day is no list`() throws {
    let others = [("locations", ("2025-11-10", "2025-11-23")), ("endpoints", ("2025-11-10", "2025-11-10"))]
    #expect(try judge("2025-11-10", "2025-11-16", others: others) == .next)
  }

  @Test func `A list tells more than all that was merged, and is not undone by changes before it`() throws {
    let week = [("providers", ("2025-11-10", "2025-11-16"))]
    func list(_ day: String, after: [(String, String)] = [], hash: String = "new") throws
      -> PeriodSequence.Verdict
    {
      try judge(day, day, of: "deactivations", asOf: true, after: after, others: week, hash: hash)
    }
    #expect(try list("2025-11-17") == .next)
    #expect(try list("2025-11-16") == .next)
    #expect(problem { try list("2025-11-14") } == .known)
    #expect(problem { try list("2025-11-17", after: [("2025-11-17", "2025-11-17")]) } == .known)
    #expect(try list("2025-11-17", after: [("2025-11-17", "2025-11-17")], hash: "0") == .repeated(run: 1))
    let later = [("deactivations", ("2025-11-20", "2025-11-20"))]
    #expect(problem { try judge("2025-11-10", "2025-11-16", others: later) } == .beforeList)
    #expect(try judge("2025-11-10", "2025-11-16", others: later, isForced: true) == .next)
  }

  @Test func `What is wrong says what is expected`() {
    func text(_ problem: PeriodMismatch.Problem, _ period: Period, held: String) -> String {
      PeriodMismatch(source: "people", period: period, release: "r", held: held, problem: problem).description
    }
    let week = Period(from: "2025-06-16", to: "2025-06-22")
    #expect(
      text(.gap, week, held: "2025-06-08").contains("load the changes from 2025-06-09 to 2025-06-15 first"))
    #expect(text(.known, week, held: "2025-06-22").contains("a period that begins on 2025-06-23 is expected"))
    #expect(text(.overlapping, week, held: "2025-06-18").contains("that begins on 2025-06-19 is expected"))
    #expect(
      text(.beforeList, week, held: "2025-06-30").contains("has a list of 2025-06-30, which they would undo"))
    let list = Period(from: "2025-06-16", to: "2025-06-16", isAsOf: true)
    #expect(text(.known, list, held: "2025-06-16").contains("a list of a later day is expected"))
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
