extension RunError {
  /// How to go on: a command, an option, or what to correct.
  public var hint: String {
    switch self {
    case .notTheDataset: "'rivulet run SOURCE', without a pipeline, names those that the source fits"
    case .ambiguousEntries(let source, _, _):
      "leave one of them in the bundle, or say which it is: --as \(source)=FILE"
    case .sameRelease(_, let source, _, _):
      "say which is meant with --as \(source)=FILE, or use --force to load each in the place of the one before"
    case .ambiguousSources(_, let sources):
      "say which: " + sources.map { "--as \($0)=FILE" }.joined(separator: " or ")
    case .severalFiles: "name the one that is meant"
    case .incomplete: "load a whole bundle, or use --allow-missing"
    case .unknownRelease(_, let example), .impossibleRelease(_, _, let example):
      "name the release with --release" + (example.map { ", such as --release \($0)" } ?? "")
    case .releasesDisagree(_, let first, _): "rename the file, or say which it is, such as --release \(first)"
    case .releaseContradicted(_, let given, _):
      "leave --release out, or use --force to load it as \(given) all the same"
    case .unknownLayout(_, let mismatch):
      mismatch?.hint ?? "'rivulet pipelines list' lists the pipelines, and what each of them reads"
    case .nestedInList: "write them into a file of their own, or the whole as .json or .ndjson"
    case .missingTarget: "run 'rivulet migrate up'"
    case .notByRelease(let name):
      "make \(name) PARTITION BY LIST (release) in a migration, or write 'publish: merge' in pipeline.yaml"
    case .byRelease: "name a plain table as the target, or write 'publish: release' in pipeline.yaml"
    case .mergeKeyMismatch, .keyMismatch: "add that key in a migration, or correct 'key' in pipeline.yaml"
    case .policiesHold: "run as the table's owner, or as a role with BYPASSRLS"
    case .ownedByOther(_, let owner):
      "sign in as a role that acts as it: 'GRANT \(owner) TO ...; ALTER ROLE ... SET role TO \(owner)'"
    case .mergedByOthers: "give this pipeline a table of its own"
    case .mergeRefused: "correct the rows, or the table's rule in a migration, and run again"
    case .mergeBlocked: "run again when they are done, or wait longer with --lock-wait SECONDS"
    case .namesNoRelease: "leave --release out"
    case .mergesAtOnce: "--dry-run tells what would change"
    case .periodsDisagree: "load them one by one, in the order of their days"
    case .nothingToChange(let pipeline, let release):
      release.map { "publish it with 'rivulet releases publish \(pipeline) \($0)' first" }
        ?? "load a release first: 'rivulet run \(pipeline) SOURCE'"
    case .lacksTable: "load the whole release again"
    case .outOfSequence(let mismatch): mismatch.hint
    case .unknownColumns: "run 'rivulet migrate up', or correct the layout"
    case .tooManyRejects(let rejected, _, _, _, _):
      "correct the records, or publish without them: --max-rejects \(rejected)"
    case .rowRefused(_, let target, _, _): "correct the record, or the rule of \(target) in a migration"
    case .wouldHide: "load a whole bundle, or use --force to hide them"
    case .wouldLoseChanges: "use --force to begin the release from scratch, and load its changes again"
    case .sampleOverReal: "load samples into another database, or use --force to put them in its place"
    case .nothingLoaded: "look whether they have come whole, and fetch them again"
    case .releaseOfAnother: "give this one another name with --release and --force"
    case .nothingToAmend: "load it first"
    case .amendedAsLoaded: "put the release's files and the new ones into one folder and load that"
    case .earlierFile: "use --force to go back to it"
    case .publishBlocked(let pipeline, let release):
      "publish it with 'rivulet releases publish \(pipeline) \(release)' when they are done"
    case .sourceChanged: "run again when it is whole"
    case .gatesFailed(let gates): RunError.hint(gates)
    case .countsDoNotAddUp, .rowsWithoutRecords: "please report this"
    case .busy: "wait for it, or use --lock-wait SECONDS"
    case .takenOver, .failedOver, .stagedTablesLost: "run again"
    case .behindPooler: "connect to the server directly, or through a pooler in session mode"
    case .cancelled: "run it again by itself, or correct that source"
    case .checkFailed(_, let file, _, _, _):
      "correct \(file): its tables and columns are those of the migrations"
    }
  }

  /// Rules can be accepted by name, but for those without which a table has no key.
  private static func hint(_ gates: [GateReport]) -> String {
    let options = gates.filter(\.mayBeAccepted).map { "--accept \($0.rule)" }
    let accepting =
      "correct the source, or publish in spite of what was found: \(options.joined(separator: " "))"
    let keys =
      "correct the source; records that share a key cannot be accepted, but 'duplicates: set-aside' in pipeline.yaml "
      + "keeps the first of them"
    return [options.isEmpty ? nil : accepting, options.count == gates.count ? nil : keys].compactMap(\.self)
      .joined(separator: "; ")
  }
}

extension LayoutMismatch {
  /// How to go on where no layout fits.
  public var hint: String {
    switch self {
    case .header, .delimited:
      "if the publisher has changed the columns, add a version to the layout: 'rivulet pipelines new --from FILE' "
        + "drafts its columns"
    case .places, .tree:
      "if the publisher has changed the records, add a version to the layout, as Documentation/Pipelines.md has it"
    }
  }
}

extension RunFailure {
  /// How to go on; nil where the cause does not say.
  public var hint: String? {
    guard let error = cause as? RunError else { return nil }
    guard case .tooManyRejects(let rejected, _, _, _, _) = error else { return error.hint }
    let run = report.run
    return "'rivulet rejects list \(run)' lists them, 'rivulet rejects export \(run) -o FILE' writes them; "
      + "or use --max-rejects \(rejected)"
  }
}
