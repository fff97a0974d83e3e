import Catalog
import Definitions
import Drafting
import Fetching
import Host
import MigrationEngine
import PipelineCore
import PipelineEngine
import PostgreSQL
import Records
import Sampler
import Values
import ViewEngine

/// Exit codes, as users script against them.
enum ExitCode {
  static let done: Int32 = 0
  static let failed: Int32 = 1
  static let usage: Int32 = 2
  static let refused: Int32 = 3
  static let busy: Int32 = 4
  static let outOfStep: Int32 = 5
  static let missingSource: Int32 = 6
  static let interrupted: Int32 = 130

  /// What each says, for the manual.
  static let meanings: [(code: Int32, meaning: String)] = [
    (done, "all is done, or nothing was to be done"),
    (failed, "it failed, at the database or the machine; the same again may succeed"),
    (usage, "the command line or a definition is wrong"),
    (refused, "the data were refused: nothing of them is published"),
    (busy, "somebody else is at work on the same thing: --lock-wait waits for them"),
    (outOfStep, "database and files are out of step, or a check found something"),
    (missingSource, "a source is missing or cannot be read"),
    (interrupted, "it was interrupted; nothing is half done"),
  ]
}

/// What a user reads of an error; the one place that turns errors into sentences and exit codes.
struct Failure {
  var code = ExitCode.failed
  var kind: String
  var message: String
  var file: String?
  var line: Int?
  var column: Int?
  var sqlState: String?
  var hint: String?
  /// The sentence is about more than the file, which therefore is not put before it.
  var isAboutMore = false
  /// Why records were refused, where it is about that.
  var rejects: [RejectReason]?
  /// What the log says that it is about; nil where the error does not tell.
  var subject: LogSubject?

  /// The one member of the document.
  var json: JSON {
    let place: JSON = [
      "code": Int(code), "kind": kind, "message": message, "file": file, "line": line, "column": column,
      "sqlstate": sqlState, "hint": hint,
    ]
    let reasons = rejects.map {
      ["rejects": JSON.array(of: $0.prefix(RejectReason.shownReasons), \.json)] as JSON
    }
    return ["error": place + (reasons ?? [:])]
  }

  /// `file:line:column: message`, and the hint on a line of its own where the message does not say it.
  var text: String { "rivulet: \(sentence)\n" + (unsaidHint.map { "  \($0)\n" } ?? "") }

  /// The hint; nil where the message says it.
  var unsaidHint: String? { hint.flatMap { message.contains($0) ? nil : $0 } }

  /// `file:line:column: message`.
  var sentence: String {
    let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
    // Many a message names the file in its place of the sentence.
    let isNamed =
      isAboutMore || (line == nil || kind == "refused") && file.map { message.contains($0) } == true
    return place.isEmpty || isNamed ? message : place.joined(separator: ":") + ": " + message
  }

  init(_ error: any Error) {
    switch error {
    case let error as RunFailure:
      self.init(error.cause)
      subject = LogSubject(error)
      if let own = error.hint { hint = own }
      if case RunError.tooManyRejects = error.cause { place(ofFirstRejectIn: error.report) }
    case let error as EndedByTimeout:
      self.init(error.error)
      hint = error.timeout.sentence
    case let error as ReplayError:
      self.init(
        code: error.isUsage ? ExitCode.usage : ExitCode.refused, kind: "replay", message: error.description,
        hint: error.hint)
    case let error as RejectExport.Existing:
      self.init(
        code: ExitCode.usage, kind: "file", message: error.description, file: error.path, hint: error.hint)
    case let error as OutputFolder.Foreign:
      self.init(
        code: ExitCode.usage, kind: "file", message: error.description, file: error.path, hint: error.hint)
    case let error as Unconfirmed:
      self.init(kind: "unconfirmed", message: error.description, hint: error.hint)
    case let error as ReportedFailure: self = error.failure
    case let error as UsageError:
      self.init(
        code: ExitCode.usage, kind: "usage", message: error.message,
        hint: "see '\(error.path.joined(separator: " ")) --help'")
    case let error as DefinitionErrors: self.init(definitions: error.errors)
    case let error as DefinitionError: self.init(definitions: [error])
    case let error as PostgreSQLError: self.init(postgreSQL: error)
    case let error as MigrationError: self.init(migration: error)
    case let error as BaselineError:
      self.init(code: ExitCode.outOfStep, kind: "baseline", message: error.description, hint: error.hint)
      if case .noTable = error { code = ExitCode.usage }
    case let error as RunError: self.init(run: error)
    case let error as DraftError:
      self.init(code: ExitCode.refused, kind: "draft", message: error.description, hint: error.hint)
      switch error {
      case .unusableName, .nameTaken, .layoutTaken, .noSheets, .takesNoLayout: code = ExitCode.usage
      default: break
      }
    case let error as RecordsError: self.init(records: error)
    case let error as ReleaseOperationError:
      self.init(kind: "release", message: error.description, hint: error.hint)
      switch error {
      case .busy, .blocked: code = ExitCode.busy
      case .unknown, .unknownRevision: code = ExitCode.usage
      default: break
      }
    case let error as EmbeddedClusterError:
      self.init(kind: "embedded-database", message: error.message, hint: error.hint)
    case let error as ShadowError:
      self.init(kind: "shadow", message: error.description, hint: error.hint)
    case let error as SchemaDrift.Problem:
      self.init(kind: "drift", message: error.description, hint: error.hint)
    case let error as RightsSearch.Problem:
      self.init(kind: "grants", message: error.description, hint: error.hint)
      if case .noRole = error { code = ExitCode.usage }
    case let error as MigrationPlanner.Problem:
      self.init(kind: "plan", message: error.description, hint: error.hint)
    case let error as ViewProblem:
      self.init(
        kind: "view", message: "view \(error.view): \(error.message)", file: error.file,
        line: error.mark?.line, column: error.mark?.column, sqlState: error.sqlState, hint: error.hint)
    case let error as ViewLoss:
      self.init(
        kind: "view", message: error.description,
        hint: "drop it, or write down what it is and put it back afterwards")
    case let error as UnfilledViews:
      self.init(error.first.error)
      let others = error.others.map { "\($0.view) neither: \(Failure($0.error).message)" }
      message = (["\(error.first.view) could not be filled: \(message)"] + others).joined(separator: "; ")
    case let error as RefreshError:
      self.init(kind: "refresh", message: error.description, hint: error.hint)
      switch error {
      case .notByDate: code = ExitCode.usage
      case .busy: code = ExitCode.busy
      case .outOfStep: code = ExitCode.outOfStep
      case .behind, .behindPooler: break
      }
    case let error as MissingRights:
      self.init(postgreSQL: .server(error.error))
      hint = error.remedy.sentence
    case let error as Interrupted:
      self.init(code: ExitCode.interrupted, kind: "interrupted", message: error.description)
    case let error as SampleError:
      self.init(kind: "sample", message: error.description)
      switch error {
      case .overflow, .numberTooWide, .cannotWrite: break
      default: code = ExitCode.usage
      }
    case let error as FetchError:
      self.init(kind: "fetch", message: error.description, hint: error.hint)
      code =
        switch error.kind {
        case .missing: ExitCode.missingSource
        case .failed: ExitCode.failed
        case .wrong: ExitCode.refused
        case .busy: ExitCode.busy
        }
    case let error as FileError:
      self.init(
        code: error.action == "read" || error.action == "list" ? ExitCode.missingSource : ExitCode.failed,
        kind: "file", message: error.description, file: error.path)
      if error.path == Output.name {
        hint = "what was written is cut off; what the command has changed by then is done"
      }
    case let error as WatchedByOther:
      self.init(code: ExitCode.busy, kind: "watch", message: error.description, hint: error.hint)
    case let error as NightlyLock.Busy:
      self.init(code: ExitCode.busy, kind: "nightly", message: error.description)
    case let error as QueryRun.Problem: self.init(query: error)
    case let error as ClusterError:
      self.init(kind: "cluster", message: error.description, hint: error.hint)
      switch error {
      case .noCitus, .notCoordinator, .otherRows: break
      case .unknownTable: code = ExitCode.usage
      case .inTheWay, .losses, .pending: code = ExitCode.outOfStep
      }
    case let error as Catalog.Problem:
      self.init(code: ExitCode.outOfStep, kind: "catalog", message: error.description, hint: error.hint)
    default: self.init(kind: "failed", message: "\(error)")
    }
    if hint == nil, message.contains("connection to the remote node") {
      hint = "one server of the cluster cannot connect to another: 'rivulet cluster status' says to which"
    }
  }

  init(
    code: Int32 = ExitCode.failed, kind: String, message: String, file: String? = nil, line: Int? = nil,
    column: Int? = nil, sqlState: String? = nil, hint: String? = nil
  ) {
    self.code = code
    self.kind = kind
    self.message = message
    self.file = file
    self.line = line
    self.column = column
    self.sqlState = sqlState
    self.hint = hint
  }

  private init(definitions errors: [DefinitionError]) {
    let first = errors.first
    let rest = errors.dropFirst().map { "\n" + $0.description }.joined()
    self.init(
      code: ExitCode.usage, kind: "definition", message: (first?.message ?? "") + rest, file: first?.file,
      line: first?.line, column: first?.column, hint: first?.hint)
  }

  private init(postgreSQL error: PostgreSQLError) {
    self.init(kind: "database", message: error.description, sqlState: error.sqlState)
    if error.isOutOfConnections {
      hint =
        "run fewer programs at once, or raise what the message names: max_connections, "
        + "or the CONNECTION LIMIT of the role or the database"
    }
    guard case .server(let server) = error else { return }
    message =
      server.sqlState.isEmpty
      ? server.message : "\(server.severity) \(server.sqlState): \(server.discreetMessage)"
    if let detail = server.discreetDetail { message += "\nDETAIL: \(detail)" }
    // The server's own advice, DROP ... CASCADE, would take with it what others have put on top.
    hint = server.sqlState == "2BP01" ? "drop or change first what is named there" : server.discreetHint
    if error.isLockTimeout {
      code = ExitCode.busy
      hint =
        "another session holds a lock that it needs: "
        + "see in pg_locks and pg_stat_activity whose it is"
    }
    if server.sqlState == "25006" {
      hint =
        "the server is a standby, where target_session_attrs=read-write in the URL finds the one that writes; or "
        + "default_transaction_read_only is on for the role, the database or the server: "
        + "'ALTER ROLE ... SET default_transaction_read_only = off' lets a role write"
    }
    if error.isCancellation { hint = Failure.timeoutHint }
    if server.sqlState == "53100" {
      hint = "make room where the server keeps its data, and run the same again"
    }
  }

  /// Nobody has asked this program to end.
  private static let timeoutHint = """
    a time-out of the role, the database or the server ended it (statement_timeout), or \
    somebody cancelled it: 'ALTER ROLE ... SET statement_timeout = 0' gives a role all the time it needs
    """

  private init(migration error: MigrationError) {
    self.init(kind: "migration", message: error.description, hint: error.hint)
    (file, line, column) = error.place.map { ($0.file, $0.line, $0.column) } ?? (nil, nil, nil)
    switch error {
    case .busy: code = ExitCode.busy
    case .changed, .missing, .late, .awaitsContract: code = ExitCode.outOfStep
    case .misnamed, .sameVersion, .malformed, .several, .unknownVersion, .unknownFormat, .noPlaceholders:
      code = ExitCode.usage
    case .failed(_, _, _, _, let server):
      sqlState = server.sqlState
      if server.isLockConflict { code = ExitCode.busy }
    case .changedWhileUnderWay, .underWay: code = ExitCode.outOfStep
    case .cannotBeOneTransaction, .notApplied, .notOwnFormat, .unusableName, .unusableColumn, .alreadyMarked,
      .otherHalf,
      .noSchemas:
      code = ExitCode.usage
    case .irreversible, .leftTransaction, .requirementUnmet, .behindPooler, .lockReleased, .cannotRestore:
      code = ExitCode.failed
    }
  }

  private init(run error: RunError) {
    self.init(
      kind: error.isRefusal ? "refused" : "run", message: error.description, file: error.path,
      hint: error.hint)
    line = error.line
    if case .gatesFailed = error { isAboutMore = true }
    if let place = error.sqlPlace {
      column = place.mark?.column
      sqlState = place.sqlState.isEmpty ? nil : place.sqlState
    }
    switch error {
    case .tooManyRejects(_, _, _, _, let reasons):
      code = ExitCode.refused
      rejects = reasons
    case .busy: code = ExitCode.busy
    case .missingTarget, .unknownColumns: code = ExitCode.outOfStep
    case .keyMismatch, .notByRelease, .checkFailed, .byRelease, .mergeKeyMismatch, .mergedByOthers:
      code = ExitCode.usage
    case .namesNoRelease, .mergesAtOnce, .severalFiles:
      code = ExitCode.usage
      kind = "usage"
    case .publishBlocked, .mergeBlocked: code = ExitCode.busy
    case .policiesHold, .ownedByOther: code = ExitCode.failed
    case .sourceChanged: code = ExitCode.missingSource
    case .countsDoNotAddUp, .rowsWithoutRecords, .cancelled, .takenOver, .failedOver, .stagedTablesLost,
      .behindPooler:
      code = ExitCode.failed
    case .impossibleRelease(_, let isGiven, _):
      code = isGiven ? ExitCode.usage : ExitCode.refused
      if isGiven { kind = "usage" }
    default: code = ExitCode.refused
    }
  }

  /// The first refused record's line is that of its entry, which the message names.
  private mutating func place(ofFirstRejectIn report: RunReport) {
    guard let source = report.sources.first(where: { $0.firstReject != nil }) else { return }
    (file, line) = (source.place, source.firstReject)
  }

  private init(query problem: QueryRun.Problem) {
    self.init(kind: "query", message: "\(problem)", hint: problem.hint)
    if case .refused(let reason) = problem { (code, message) = (ExitCode.refused, reason) }
    guard case .broken(let file, let line, let error) = problem else { return }
    message = error.description
    sqlState = error.sqlState
    if let remedy = error.remedy { hint = remedy.sentence }
    if let file {
      self.file = file
      self.line = line + (error.place?.line ?? 1) - 1
      column = error.place?.column
    }
    if problem.isOutOfStep { code = ExitCode.outOfStep }
  }

  private init(records error: RecordsError) {
    self.init(
      code: ExitCode.refused, kind: "source", message: error.description, file: error.path, hint: error.hint)
    switch error {
    case .missing, .unreadable: code = ExitCode.missingSource
    default: break
    }
  }
}
