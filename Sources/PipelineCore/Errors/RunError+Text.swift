package import Definitions

extension RunError {
  /// What the ledger keeps of the error: the kind and the counts, how to go on, and no example of a record.
  package var ledgerText: String {
    switch self {
    case .tooManyRejects(let rejected, let read, let limit, _, _):
      "\(rejected) of \(read) records were refused, \(limit) allowed"
    case .gatesFailed(let gates):
      "rules that must hold do not: "
        + gates.map { "\($0.rule) (\($0.found) found)" }.joined(separator: ", ")
    case .checkFailed(_, let file, let mark, _, _):
      [file, mark.map { "\($0.line):\($0.column)" }].compactMap(\.self).joined(separator: ":")
        + ": \(description)"
    default: "\(description): \(hint)"
    }
  }

  /// Where the SQL of a check cannot be run.
  package var sqlPlace: (mark: Mark?, sqlState: String)? {
    if case .checkFailed(_, _, let mark, let sqlState, _) = self { (mark, sqlState) } else { nil }
  }
}

extension RunError: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .notTheDataset(let path, let pipeline, let found, let lookedFor):
      "\(path) is not a bundle of \(pipeline): found \(RunError.some(found)); "
        + "looked for \(lookedFor.joined(separator: ", "))"
    case .ambiguousEntries(let source, let entries, let difference):
      "several entries could be \(source): \(entries.joined(separator: "; "))"
        + (difference.map { " (\($0))" } ?? "")
    case .ambiguousSources(let entry, let sources):
      "\(entry) could be \(sources.joined(separator: " or ")), by its header"
    case .sameRelease(let release, let source, let entries, let difference):
      "several files are \(source) of \(release): \(entries.joined(separator: "; ")); \(difference)"
    case .severalFiles(let path, let found):
      "\(path) holds \(RunError.some(found)), and --as takes one file"
    case .incomplete(let path, let missing):
      "\(path) lacks \(missing.joined(separator: ", "))"
    case .unknownRelease(let path, _): "neither the name of \(path) nor its content tells the release"
    case .impossibleRelease(let reason, _, _): reason
    case .releasesDisagree(let path, let first, let second):
      "\(path) names two releases, \(first) and \(second)"
    case .releaseContradicted(let path, let given, let reason):
      "\(path) is not \(given) by its own word: \(reason)"
    case .unknownLayout(let entry, let mismatch):
      "\(entry): \(mismatch.map { "\($0)" } ?? "no layout fits")"
    case .nestedInList(let entry, let column, let target):
      "\(entry): the column '\(column)' holds records of \(target), which cannot be read from a field of a list"
    case .missingTarget(let name): "table \(name) does not exist"
    case .notByRelease(let name):
      "table \(name) is not partitioned by LIST (release), as 'publish: release' needs it"
    case .byRelease(let name):
      "table \(name) is partitioned by LIST (release), which 'publish: release' is for: 'publish: merge' needs a plain one"
    case .mergeKeyMismatch(let target, let key):
      "table \(target) has no unique key (\(key.joined(separator: ", "))) that is NOT NULL, not DEFERRABLE and holds for "
        + "all rows, as merging needs it"
    case .policiesHold(let target):
      "the policies of table \(target) hold for this role, so that it would not see all rows"
    case .ownedByOther(let target, let owner):
      "\(target) is distributed by Citus, and only its owner \(owner) loads, publishes and drops its releases"
    case .mergedByOthers(let target, let pipeline):
      "table \(target) is merged by the pipeline \(pipeline): of two that write one table nobody could tell what is gone"
    case .mergeRefused(let target, let reason):
      "\(target) refuses what would be merged into it, and nothing was changed: \(reason)"
    case .mergeBlocked(let pipeline):
      "others hold rows or tables that \(pipeline) would change; nothing was changed"
    case .namesNoRelease(let pipeline):
      "\(pipeline) merges into tables that hold no releases, so that --release names none"
    case .mergesAtOnce(let pipeline):
      "what \(pipeline) merges is published at once, so that --no-publish has nothing to keep"
    case .periodsDisagree(let path, let first, let second):
      "\(path) holds changes of two periods, \(first) and \(second)"
    case .nothingToChange(let pipeline, let release):
      release.map { "\($0) of \(pipeline) is not published, so that nothing can be merged into it" }
        ?? "no release of \(pipeline) is current, so that there is nothing to merge changes into"
    case .lacksTable(let release, let target):
      "\(release) was loaded without \(target), so that nothing can be merged into that"
    case .outOfSequence(let mismatch): mismatch.finding
    case .unknownColumns(let target, let columns):
      "table \(target) has no column \(columns.joined(separator: ", "))"
    case .keyMismatch(let target, let key):
      "table \(target) has no unique key (release, \(key.joined(separator: ", "))) as the pipeline says"
    case .tooManyRejects(let rejected, let read, let limit, let kept, let reasons):
      "\(rejected) of \(read) records were refused, \(limit) allowed"
        + (kept < rejected ? "; \(kept) of the \(rejected) are kept" : "") + ":\n"
        + RejectReason.text(reasons)
    case .rowRefused(let entry, let target, let place, let reason):
      "\(entry): \(place) of what was sent to \(target) was refused: \(reason)"
    case .releaseOfAnother(let release, let pipeline, let target):
      "\(target) has a release \(release) of the pipeline \(pipeline) already"
    case .wouldHide(let release, let targets):
      "\(release) is published with \(targets.joined(separator: ", ")), which this bundle lacks"
    case .wouldLoseChanges(let release, let until):
      "\(release) holds changes until \(until) that were merged into it, which this bundle lacks"
    case .sampleOverReal(let release):
      "the files say that they are a sample, and \(release) is published of real ones"
    case .nothingLoaded: "the files hold nothing that could be loaded"
    case .nothingToAmend(let release):
      "\(release) is not published with a file of its own, so that there is nothing to amend"
    case .amendedAsLoaded(let release, let entry):
      "\(release) was loaded together with \(entry), so that its tables are not there as they were without it"
    case .earlierFile(let release, let entry, let published):
      "\(release) is published with \(published), which is later than \(entry)"
    case .publishBlocked(let pipeline, let release):
      "readers hold the published tables of \(pipeline) \(release); it is loaded and checked"
    case .sourceChanged(let path): "\(path) was changed while it was read"
    case .gatesFailed(let gates):
      "rules that must hold do not:\n" + gates.map { "  \($0.telling)" }.joined(separator: "\n")
    case .countsDoNotAddUp(let source):
      "\(source.source), \(source.place): \(source.read) records read are not \(source.loaded) loaded, "
        + "\(source.rejected) rejected and \(source.skipped) skipped; nothing was published"
    case .rowsWithoutRecords(let source, let target, let rows):
      "\(source.source), \(source.place): \(rows) rows of \(target) do not fit \(source.loaded) loaded records; "
        + "nothing was published"
    case .busy(let pipeline): "another run of \(pipeline) is at work"
    case .takenOver(let run):
      "run \(run) was without a connection for so long that another run took it for dead"
    case .failedOver(let run):
      "another server, a promoted standby or a restored copy, has taken the place of the one that run \(run) began on, "
        + "and may lack what was committed there last; nothing of the run is published"
    case .stagedTablesLost(let tables):
      "\(tables.joined(separator: ", ")), loaded and not yet published, "
        + "\(tables.count == 1 ? "was" : "were") dropped by somebody while the run was at work"
    case .behindPooler:
      "a pooler that gives every transaction another session is in the way, and the lock that keeps other runs away "
        + "would be anybody's"
    case .cancelled: "cancelled, because an earlier source of the same command failed"
    case .checkFailed(let rule, _, _, _, let reason): "'\(rule)' cannot be run: \(reason)"
    }
  }

  /// The file or folder that it is about, where it is about one.
  public var path: String? {
    switch self {
    case .notTheDataset(let path, _, _, _), .incomplete(let path, _), .unknownRelease(let path, _),
      .releasesDisagree(let path, _, _), .releaseContradicted(let path, _, _), .sourceChanged(let path):
      path
    case .periodsDisagree(let path, _, _): path
    case .checkFailed(_, let file, _, _, _): file
    case .gatesFailed(let gates): gates.first?.file
    case .unknownLayout(let entry, _), .nestedInList(let entry, _, _), .rowRefused(let entry, _, _, _): entry
    case .countsDoNotAddUp(let source), .rowsWithoutRecords(let source, _, _): source.place
    default: nil
    }
  }

  /// The line of that file, where it is about one.
  public var line: Int? {
    switch self {
    case .unknownLayout(_, .header(let mismatch)): mismatch.line
    default: sqlPlace?.mark?.line
    }
  }

  private static func some(_ names: [String]) -> String {
    guard !names.isEmpty else { return "nothing" }
    let shown = names.prefix(8).joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}
