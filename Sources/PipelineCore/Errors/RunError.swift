public import Definitions
import Records

/// Why a run cannot go on.
public enum RunError: Error, Sendable {
  /// Nothing at the path is a table of the pipeline.
  case notTheDataset(path: String, pipeline: String, found: [String], lookedFor: [String])
  /// Several entries claim to be the same table; what differs between them, where that was looked at.
  case ambiguousEntries(source: String, entries: [String], difference: String?)
  /// An entry could be of one source or of another, by its header.
  case ambiguousSources(entry: String, sources: [String])
  /// Two sources of a command are the same release, with other content of the same table.
  case sameRelease(String, source: String, entries: [String], difference: String)
  /// What is said to be one table is several files.
  case severalFiles(path: String, found: [String])
  /// Some of the pipeline's tables are not in the bundle.
  case incomplete(path: String, missing: [String])
  /// No place tells the release; an example is a name that one may have.
  case unknownRelease(path: String, example: String?)
  /// The release's name is none of the pipeline's; it may be the user's word, or that of the file.
  case impossibleRelease(reason: String, isGiven: Bool, example: String?)
  /// Two places name different releases.
  case releasesDisagree(path: String, first: String, second: String)
  /// The user names another release than the files themselves.
  case releaseContradicted(path: String, given: String, reason: String)
  /// An entry's header, or what is at the places of its records, is none that is known.
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
  /// A table that Citus distributes belongs to a role that this one does not act as.
  case ownedByOther(target: String, owner: String)
  /// A table belongs to what another pipeline merges.
  case mergedByOthers(target: String, pipeline: String)
  /// The table's own rules or triggers refuse rows that are merged.
  case mergeRefused(target: String, reason: String)
  /// Others held rows or tables that were to be changed to the end.
  case mergeBlocked(pipeline: String)
  /// A release was named, or is to be kept, where there are none.
  case namesNoRelease(pipeline: String)
  /// What is merged is published at once, or not at all.
  case mergesAtOnce(pipeline: String)
  /// The entries of a bundle bring changes of different periods.
  case periodsDisagree(path: String, first: String, second: String)
  /// No release is published that changes could be merged into.
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
  /// A revision would hide tables that the published one has.
  case wouldHide(release: String, targets: [String])
  /// A revision would be without the changes that were merged into the published one, until a day.
  case wouldLoseChanges(release: String, until: String)
  /// A sample would take the place of what is published of real files, or change it.
  case sampleOverReal(release: String)
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
  /// More rows are in a child table than the records of a source can have brought, which is a defect of this
  /// program.
  case rowsWithoutRecords(SourceReport, target: String, rows: Int)
  /// Another run of the pipeline is at work.
  case busy(pipeline: String)
  /// Another run of the pipeline took this one for dead while it had no connection, and has cleared what it
  /// had loaded.
  case takenOver(run: Int)
  /// Another server answers in place of the one on which the run began, and may lack what it has committed
  /// there.
  case failedOver(run: Int)
  /// Somebody has dropped tables that were loaded and not yet published.
  case stagedTablesLost([String])
  /// A pooler is before the server that gives a client another session for every transaction.
  case behindPooler
  /// An earlier source of the same command failed.
  case cancelled
  /// The SQL of a check or an amendment cannot be run; where in its file, if the server says so.
  case checkFailed(rule: String, file: String, mark: Mark?, sqlState: String, reason: String)

  /// The data were refused, rather than the run having failed.
  public var isRefusal: Bool {
    switch self {
    case .impossibleRelease(_, let isGiven, _): !isGiven
    case .notTheDataset, .ambiguousEntries, .ambiguousSources, .sameRelease, .incomplete, .unknownRelease,
      .releasesDisagree,
      .releaseContradicted, .unknownLayout, .nestedInList, .tooManyRejects, .rowRefused, .wouldHide,
      .wouldLoseChanges, .sampleOverReal,
      .nothingLoaded,
      .releaseOfAnother, .nothingToAmend,
      .amendedAsLoaded, .earlierFile, .gatesFailed, .mergeRefused, .periodsDisagree, .nothingToChange,
      .lacksTable,
      .outOfSequence:
      true
    default: false
    }
  }

  /// Whether an error says that the data were refused, rather than that the run failed.
  package static func refuses(_ error: any Error) -> Bool {
    switch error {
    case let error as RunError: error.isRefusal
    case let error as RecordsError: error.isRefusal
    default: false
    }
  }
}
