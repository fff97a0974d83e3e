import Definitions
import Host
import PipelineCore
import PostgreSQL
import Records
import Store

/// The beginning of a run: what the ledger says of its source is asked, and the run is recorded.
struct RunStart {
  let context: RunContext
  let course: RunCourse
  let settings: RunCourse.Settings
  /// The numbers of the entries that are loaded; nil where the same content is published already.
  let sourceFileIDs: [Int]?
  /// What the ledger is to know of files that hold, wrapped otherwise, what is published already.
  let newlyKnown: [SourceReport]

  /// Begins a run.
  /// - Throws: ``RunError``, ``ReplayError`` where the ledger says that it must not be loaded.
  init(_ found: Discovered, setting: EngineSetting) throws {
    let connection = try setting.connections.main
    let (ledger, store) = (Ledger(connection: connection), ReleaseStore(connection: connection))
    let pipeline = setting.pipeline
    var found = found
    // The same content has the same size. Of a release that is loaded all the same nobody asks; of changes the
    // sequence of their periods does.
    if !found.plan.request.isForced || found.plan.period != nil,
      try ledger.knowsFile(ofSizes: found.files.sizesPutOff, pipeline: pipeline.name)
    {
      try found.files.hashAll()
    }
    let (plan, request) = (found.plan, found.plan.request)
    let base = try Self.base(of: found, pipeline: pipeline, store)
    let emptyTargets = plan.emptySources(of: pipeline).flatMap {
      [$0.target] + pipeline.childTargets(of: $0)
    }
    let targets = plan.targets + (base?.map(\.target) ?? []) + emptyTargets
    var (destination, earlier) = try DestinationChoice(found, targets: targets, setting: setting, ledger)
      .choose()
    let isSample = plan.isSynthetic(by: pipeline.synthetic)
    let published = try destination.release.flatMap {
      try store.publishedIsSynthetic($0.name, pipeline: pipeline.name)
    }
    if earlier == nil, let release = destination.release?.name {
      try Admission.requireReal(plan, isSample: isSample, for: release, isReal: published == false)
    }
    if case .release(let release) = destination {
      try found.corrected?.requireBase(unless: earlier != nil)
      let admission = Admission(plan, of: release, targets: targets, emptyTargets: emptyTargets)
      try admission.judge(
        try Self.facts(
          of: release, plan, targets: targets, replacesSample: published == true && !isSample,
          pipeline: pipeline, ledger),
        isKnown: earlier != nil)
    }
    var settings = RunCourse.Settings()
    settings.publishes = request.publishes
    settings.isDryRun = request.isDryRun
    settings.crossChecks = request.crossChecks
    settings.acceptedRules = request.acceptedRules
    settings.rejectLimit = request.rejectLimit ?? pipeline.rejects
    settings.isMerge = destination.isMerge
    settings.isReplay = plan.isReplay
    if case .release = destination, let main = pipeline.sources.first?.target, targets.contains(main) {
      settings.countsChange = pipeline.diff.isReported
    }
    // What is published already can be compared only when it is loaded again.
    if request.crossChecks, let published = earlier {
      settings.isCompared = true
      settings.comparedRevision = published.revision
      earlier = nil
    }
    self.settings = settings
    var clock = StageClock()
    clock.add("discover", seconds: found.seconds)
    if earlier == nil { clock.start("stage", at: Machine.seconds) }
    let beginning = Ledger.Beginning(
      pipeline: pipeline.name, release: destination.release?.name, definitionHash: pipeline.definitionHash,
      programVersion: setting.programVersion, replays: found.corrected?.run,
      // By files that hold the same otherwise wrapped the ledger knows it from now on.
      sources: earlier.map(\.isWrappedOtherwise) ?? true
        ? zip(plan.entries, try found.digests(.file)).map { ($0.entry, $1) } : [],
      stages: clock.reports, missing: plan.bundle.lacking)
    let (run, ids) = try setting.connections.record { try $0.begin(beginning) }
    var report = RunReport(
      run: run, pipeline: pipeline.name, release: destination.release?.name, revision: earlier?.revision,
      state: earlier == nil ? .running : .unchanged)
    report.warnings = found.warnings
    report.missing = plan.bundle.lacking
    var newlyKnown: [SourceReport] = []
    if let earlier {
      report.sources = try ledger.sources(ofRun: earlier.run)
      if earlier.isWrappedOtherwise {
        newlyKnown = try Self.wrapped(report.sources, in: found, ids)
        report.sources = newlyKnown
      }
    }
    self.newlyKnown = newlyKnown
    sourceFileIDs = earlier == nil ? ids : nil
    let tables = Self.tables(targets, plan, destination, setting, run: run)
    context = RunContext(
      setting, found, destination, run: run, tables: tables, base: base,
      isSynthetic: try Self.isSynthetic(plan, addsTo: base, pipeline: pipeline, store))
    course = RunCourse(report, settings, pipeline: pipeline, clock: clock)
  }

  /// What an earlier run has counted of the entries that a source holds otherwise wrapped.
  private static func wrapped(
    _ counted: [SourceReport], in found: Discovered, _ ids: [Int]
  ) throws -> [SourceReport] {
    zip(zip(found.plan.entries, try found.digests(.entry)), ids).compactMap { entry, id in
      let place = entry.0.entry.entry
      return counted.first { $0.source == entry.0.source.name && $0.sha256 == entry.1 }
        .map { $0.found(in: place.path, place.entry, as: id) }
    }
  }

  private static func tables(
    _ targets: [String], _ plan: LoadPlan, _ destination: Destination, _ setting: EngineSetting, run: Int
  ) -> [String: StagedTable] {
    let release = destination.release?.name
    let tables = targets.compactMap { setting.targets[$0] }.map { target in
      destination.isMerge
        ? StagedTable(merging: target, release: release, of: plan, run: run)
        : StagedTable(target: target, release: release, run: run)
    }
    return Dictionary(tables.map { ($0.target.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The tables that a source adds to; nil where it brings all of its release itself.
  static func base(of found: Discovered, pipeline: Pipeline, _ store: ReleaseStore) throws -> [ReleaseTable]?
  {
    if let corrected = found.corrected { return corrected.tables }
    guard found.plan.isAmendment, let release = found.plan.release else { return nil }
    return try store.tablesToAmend(
      of: release.name, pipeline: pipeline.name,
      amending: pipeline.sources.filter { $0.amendment != nil }.map(\.name))
  }

  private static func isSynthetic(
    _ plan: LoadPlan, addsTo base: [ReleaseTable]?, pipeline: Pipeline, _ store: ReleaseStore
  ) throws -> Bool {
    if base != nil, let release = plan.release {
      return try store.isSynthetic(release.name, pipeline: pipeline.name)
    }
    return plan.isSynthetic(by: pipeline.synthetic)
  }

  private static func facts(
    of release: ReleaseIdentity, _ plan: LoadPlan, targets: [String], replacesSample: Bool,
    pipeline: Pipeline, _ ledger: Ledger
  ) throws -> Admission.Facts {
    let numbered = Set(
      plan.bundle.entries.filter { $0.source.number(of: $0.entry.name) != nil }.map(\.source.name))
    return Admission.Facts(
      owner: try ledger.owner(of: release.name, targets: targets, besides: pipeline.name),
      publishedTargets: try ledger.publishedTargets(of: release.name, pipeline: pipeline.name),
      mergedUntil: try ledger.mergedUntil(release.name, pipeline: pipeline.name),
      publishedEntries: try numbered.reduce(into: [:]) {
        $0[$1] = try ledger.publishedEntries(of: $1, release: release.name, pipeline: pipeline.name)
      }, replacesSample: replacesSample)
  }
}
