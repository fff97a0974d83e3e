public import Definitions
import Records

/// Why a run cannot go on.
public enum RunError: Error, Sendable {
  /// Nothing at the path is a table of the pipeline.
  case notTheDataset(path: String, pipeline: String, found: [String], lookedFor: [String])
  /// Several entries claim to be the same table.
  case ambiguousEntries(source: String, entries: [String])
  /// Some of the pipeline's tables are not in the bundle.
  case incomplete(path: String, missing: [String])
  /// No place tells the release.
  case unknownRelease(path: String)
  /// The release's name is none of the pipeline's; it may be the user's word, or that of the file.
  case impossibleRelease(reason: String, isGiven: Bool)
  /// Two places name different releases.
  case releasesDisagree(path: String, first: String, second: String)
  /// An entry's header, or what stands at the places of its records, is none that is known.
  case unknownLayout(entry: String, mismatch: LayoutMismatch?)
  /// A list has a column for records within its records, which only JSON and XML can have.
  case nestedInList(entry: String, column: String, target: String)
  /// A table that is to be loaded does not exist.
  case missingTarget(String)
  /// A table that is to be loaded is not partitioned by release.
  case notByRelease(String)
  /// A table that is to be merged into holds releases.
  case byRelease(String)
  /// The key in the definition is no key of the table that rows could be merged by.
  case mergeKeyMismatch(target: String, key: [String])
  /// A policy of the table would hide rows from the role that merges.
  case policiesHold(target: String)
  /// A table belongs to what another pipeline merges.
  case mergedByOthers(target: String, pipeline: String)
  /// The table's own rules or triggers refuse rows that are merged.
  case mergeRefused(target: String, reason: String)
  /// Others held rows or tables that were to be changed to the end.
  case mergeBlocked(pipeline: String)
  /// A release was named, or is to be kept, where there are none.
  case namesNoRelease(pipeline: String)
  /// What is merged is in sight at once, or not at all.
  case mergesAtOnce(pipeline: String)
  /// The entries of a bundle bring changes of different periods.
  case periodsDisagree(path: String, first: String, second: String)
  /// No release is in sight that changes could be merged into.
  case nothingToChange(pipeline: String, release: String?)
  /// The release that changes are to be merged into lacks one of their tables.
  case lacksTable(release: String, target: String)
  /// The changes are not those that the release is to have next.
  case outOfSequence(PeriodMismatch)
  /// A layout names columns that the table does not have.
  case unknownColumns(target: String, columns: [String])
  /// The key in the definition is no unique key of the table.
  case keyMismatch(target: String, key: [String])
  /// More records were refused than the pipeline allows.
  case tooManyRejects(rejected: Int, read: Int, limit: String, kept: Int, reasons: [RejectReason])
  /// The server refused a row that the layout's rules let pass.
  case rowRefused(entry: String, target: String, place: String, reason: String)
  /// A revision would take tables out of sight that the published one has.
  case wouldHide(release: String, targets: [String])
  /// A revision would be without the changes that were merged into the published one, until a day.
  case wouldLoseChanges(release: String, until: String)
  /// There was nothing in the files that could become a row.
  case nothingLoaded
  /// A table has a release of that name already, of another pipeline.
  case releaseOfAnother(release: String, pipeline: String, target: String)
  /// There is no revision of the release that amendments could be applied to.
  case nothingToAmend(release: String)
  /// The release was loaded together with amendments, so that others cannot take the place of these.
  case amendedAsLoaded(release: String, by: String)
  /// The published release was made of a later one of the files that take each other's place.
  case earlierFile(release: String, entry: String, published: String)
  /// Readers did not give the published tables up in time; the release is loaded and waits to be published.
  case publishBlocked(pipeline: String, release: String)
  /// A file was changed while it was read.
  case sourceChanged(String)
  /// Rules over all rows do not hold.
  case gatesFailed([GateReport])
  /// The counts of a source do not add up, which is a defect of this program.
  case countsDoNotAddUp(SourceReport)
  /// More rows are in a child table than the records of a source can have brought, which is a defect of this program.
  case rowsWithoutRecords(SourceReport, target: String, rows: Int)
  /// Another run of the pipeline is at work.
  case busy(pipeline: String)
  /// Another run of the pipeline took this one for dead while it had no connection, and has cleared what it had loaded.
  case takenOver(run: Int)
  /// Somebody has dropped tables that were loaded and not yet published.
  case stagedTablesLost([String])
  /// A pooler stands before the server that gives a client another session for every transaction.
  case behindPooler
  /// An earlier source of the same command failed.
  case givenUp
  /// The SQL of a check or an amendment cannot be run; where in its file, if the server says so.
  case checkFailed(rule: String, file: String, mark: Mark?, sqlState: String, reason: String)

  /// The data were refused, rather than the run having failed.
  public var isRefusal: Bool {
    switch self {
    case .impossibleRelease(_, let isGiven): !isGiven
    case .notTheDataset, .ambiguousEntries, .incomplete, .unknownRelease, .releasesDisagree,
      .unknownLayout, .nestedInList, .tooManyRejects, .rowRefused, .wouldHide, .wouldLoseChanges,
      .nothingLoaded,
      .releaseOfAnother, .nothingToAmend,
      .amendedAsLoaded, .earlierFile, .gatesFailed, .mergeRefused, .periodsDisagree, .nothingToChange,
      .lacksTable,
      .outOfSequence:
      true
    default: false
    }
  }
}

/// Why no layout fits an entry.
public enum LayoutMismatch: Error, Sendable, CustomStringConvertible {
  /// No header names the columns.
  case header(HeaderMismatch)
  /// The records have other values at the columns' places.
  case places(PlaceMismatch)
  /// The records of a tree have other properties, or are of other kinds.
  case tree(TreeMismatch)

  /// What was looked for and what was found.
  public var description: String {
    switch self {
    case .header(let mismatch): mismatch.description
    case .places(let mismatch): mismatch.description
    case .tree(let mismatch): mismatch.description
    }
  }
}

extension RunError {
  /// What the ledger keeps of the error: the kind and the counts, and no example of a record.
  var ledgerText: String {
    switch self {
    case .tooManyRejects(let rejected, let read, let limit, _, _):
      "\(rejected) of \(read) records were refused, \(limit) allowed"
    case .gatesFailed(let gates):
      "rules that must hold do not: "
        + gates.map { "\($0.rule) (\($0.found) found)" }.joined(separator: ", ")
    case .checkFailed(_, let file, let mark, _, _):
      [file, mark.map { "\($0.line):\($0.column)" }].compactMap(\.self).joined(separator: ":")
        + ": \(description)"
    default: description
    }
  }

  /// Where the SQL of a check cannot be run.
  public var sqlPlace: (mark: Mark?, sqlState: String)? {
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
    case .ambiguousEntries(let source, let entries):
      "several entries could be \(source): \(entries.joined(separator: "; ")); leave one of them"
    case .incomplete(let path, let missing):
      "\(path) lacks \(missing.joined(separator: ", ")): load a whole bundle, or use --allow-missing"
    case .unknownRelease(let path):
      "neither the name of \(path) nor its content tells the release: name it with --release"
    case .impossibleRelease(let reason, _): reason
    case .releasesDisagree(let path, let first, let second):
      "\(path) names two releases, \(first) and \(second): rename the file, or say which with --release"
    case .unknownLayout(let entry, let mismatch):
      "\(entry): \(mismatch.map { "\($0)" } ?? "no layout fits")"
    case .nestedInList(let entry, let column, let target):
      "\(entry): the column '\(column)' holds records of \(target), which cannot be read from a field of a list: "
        + "write them into a file of their own, or the whole as .json or .ndjson"
    case .missingTarget(let name): "table \(name) does not exist: run 'rivulet migrate up'"
    case .notByRelease(let name):
      "table \(name) is not partitioned by LIST (release), as 'publish: release' needs it"
    case .byRelease(let name):
      "table \(name) is partitioned by LIST (release), which 'publish: release' is for: 'publish: merge' needs a plain one"
    case .mergeKeyMismatch(let target, let key):
      "table \(target) has no unique key (\(key.joined(separator: ", "))) that is NOT NULL, not DEFERRABLE and holds for "
        + "all rows, as merging needs it"
    case .policiesHold(let target):
      "the policies of table \(target) hold for this role, so that it would not see all rows: run as the table's owner, "
        + "or as a role with BYPASSRLS"
    case .mergedByOthers(let target, let pipeline):
      "table \(target) is merged by the pipeline \(pipeline): of two that write one table nobody could tell what is gone"
    case .mergeRefused(let target, let reason):
      "\(target) refuses what would be merged into it, and nothing was changed: \(reason)"
    case .mergeBlocked(let pipeline):
      "others hold rows or tables that \(pipeline) would change; nothing was changed: run again when they are done, "
        + "or wait longer with --lock-wait SECONDS"
    case .namesNoRelease(let pipeline):
      "\(pipeline) merges into tables that hold no releases, so that --release names none"
    case .mergesAtOnce(let pipeline):
      "what \(pipeline) merges is in sight at once, so that --no-publish has nothing to keep: --dry-run tells what would "
        + "change"
    case .periodsDisagree(let path, let first, let second):
      "\(path) holds changes of two periods, \(first) and \(second): load them one by one"
    case .nothingToChange(let pipeline, let release):
      release.map { "\($0) of \(pipeline) is not in sight, so that nothing can be merged into it" }
        ?? "no release of \(pipeline) is current, so that there is nothing to merge changes into: load one first"
    case .lacksTable(let release, let target):
      "\(release) was loaded without \(target), so that nothing can be merged into that: load the whole release again"
    case .outOfSequence(let mismatch): mismatch.description
    case .unknownColumns(let target, let columns):
      "table \(target) has no column \(columns.joined(separator: ", ")): "
        + "run 'rivulet migrate up', or mend the layout"
    case .keyMismatch(let target, let key):
      "table \(target) has no unique key (release, \(key.joined(separator: ", "))) as the pipeline says"
    case .tooManyRejects(let rejected, let read, let limit, let kept, let reasons):
      "\(rejected) of \(read) records were refused, \(limit) allowed"
        + (kept < rejected ? "; \(kept) of the \(rejected) are kept" : "") + ":\n"
        + RejectReason.text(reasons)
    case .rowRefused(let entry, let target, let place, let reason):
      "\(entry): \(place) of what was sent to \(target) was refused: \(reason)"
    case .releaseOfAnother(let release, let pipeline, let target):
      "\(target) has a release \(release) of the pipeline \(pipeline) already: give this one another name with --release"
    case .wouldHide(let release, let targets):
      "\(release) is published with \(targets.joined(separator: ", ")), which this bundle lacks: "
        + "load a whole bundle, or use --force to take them out of sight"
    case .wouldLoseChanges(let release, let until):
      "\(release) holds changes until \(until) that were merged into it, which this bundle lacks: "
        + "use --force to begin the release anew, and load its changes again"
    case .nothingLoaded:
      "the files hold nothing that could be loaded: look whether they have come whole"
    case .nothingToAmend(let release):
      "\(release) is not published with a file of its own, so that there is nothing to amend: load it first"
    case .amendedAsLoaded(let release, let entry):
      "\(release) was loaded together with \(entry), so that its tables are not there as they were without it: "
        + "put the release's files and the new ones into one folder and load that"
    case .earlierFile(let release, let entry, let published):
      "\(release) is published with \(published), which is later than \(entry): use --force to go back to it"
    case .publishBlocked(let pipeline, let release):
      "readers hold the published tables of \(release); it is loaded and checked: "
        + "publish it with 'rivulet releases publish \(pipeline) \(release)' when they are done"
    case .sourceChanged(let path): "\(path) was changed while it was read: run again when it is whole"
    case .gatesFailed(let gates):
      "rules that must hold do not:\n" + gates.map { "  \($0.telling)" }.joined(separator: "\n")
    case .countsDoNotAddUp(let source):
      "\(source.source), \(source.place): \(source.read) records read are not \(source.loaded) loaded, "
        + "\(source.rejected) rejected and \(source.skipped) skipped; nothing was published; please report this"
    case .rowsWithoutRecords(let source, let target, let rows):
      "\(source.source), \(source.place): \(rows) rows of \(target) do not fit \(source.loaded) loaded records; "
        + "nothing was published; please report this"
    case .busy(let pipeline):
      "another run of \(pipeline) is at work: wait for it, or use --lock-wait SECONDS"
    case .takenOver(let run):
      "run \(run) was without a connection for so long that another run took it for dead: run again"
    case .stagedTablesLost(let tables):
      "\(tables.joined(separator: ", ")), loaded and not yet published, "
        + "\(tables.count == 1 ? "was" : "were") dropped by somebody while the run was at work: run again"
    case .behindPooler:
      "a pooler that gives every transaction another session is in the way, and the lock that keeps other runs away "
        + "would be anybody's: connect to the server directly, or through a pooler in session mode"
    case .givenUp: "given up, because an earlier source of the same command failed"
    case .checkFailed(let rule, _, _, _, let reason): "'\(rule)' cannot be run: \(reason)"
    }
  }

  /// The file or folder that it is about, where it is about one.
  public var path: String? {
    switch self {
    case .notTheDataset(let path, _, _, _), .incomplete(let path, _), .unknownRelease(let path),
      .releasesDisagree(let path, _, _), .sourceChanged(let path):
      path
    case .periodsDisagree(let path, _, _): path
    case .checkFailed(_, let file, _, _, _): file
    case .gatesFailed(let gates): gates.first?.file
    case .unknownLayout(let entry, _), .nestedInList(let entry, _, _), .rowRefused(let entry, _, _, _): entry
    case .countsDoNotAddUp(let source), .rowsWithoutRecords(let source, _, _): source.place
    default: nil
    }
  }

  private static func some(_ names: [String]) -> String {
    guard !names.isEmpty else { return "nothing" }
    let shown = names.prefix(8).joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

extension RecordsError {
  /// The data were refused, rather than that nobody could get at them.
  var isRefusal: Bool {
    switch self {
    case .missing, .unreadable: false
    default: true
    }
  }

  /// What the ledger keeps of the error; what is wrong with the XML of a workbook may quote its text.
  var ledgerText: String {
    switch self {
    case .brokenWorkbook(let path, let entry, _):
      return RecordsError.brokenWorkbook(path: path, entry: entry, reason: "a part of it cannot be read")
        .description
    case .brokenXML(let path, let entry, _):
      return RecordsError.brokenXML(path: path, entry: entry, reason: "it is not well-formed").description
    default: return description
    }
  }
}
