import Foundation
import PipelineCore
import Records
import Testing

@testable import Definitions

@Suite("An error says how to go on")
struct HintTests {
  private static let report = SourceReport(sourceFileID: 1, source: "items", file: "a.csv", entry: nil)
  private static let period = Period(from: "2025-01-01", to: "2025-01-07")

  /// One of each case.
  static let runErrors: [RunError] = [
    .notTheDataset(path: "a.zip", pipeline: "p", found: ["b"], lookedFor: ["c"]),
    .ambiguousEntries(source: "s", entries: ["a", "b"], difference: nil),
    .ambiguousSources(entry: "a", sources: ["s", "t"]),
    .sameRelease("r", source: "s", entries: ["a", "b"], difference: "d"),
    .severalFiles(path: "a", found: ["b", "c"]), .releaseContradicted(path: "a", given: "r", reason: "no"),
    .incomplete(path: "a.zip", missing: ["s"]),
    .unknownRelease(path: "a.zip", example: "2025D"),
    .impossibleRelease(reason: "no", isGiven: true, example: "2025D"),
    .releasesDisagree(path: "a.zip", first: "2025D", second: "2025A"),
    .unknownLayout(entry: "a.csv", mismatch: nil), .nestedInList(entry: "a.csv", column: "c", target: "t"),
    .missingTarget("t"), .notByRelease("t"), .byRelease("t"), .mergeKeyMismatch(target: "t", key: ["k"]),
    .policiesHold(target: "t"), .ownedByOther(target: "t", owner: "o"),
    .mergedByOthers(target: "t", pipeline: "p"),
    .mergeRefused(target: "t", reason: "no"), .mergeBlocked(pipeline: "p"), .namesNoRelease(pipeline: "p"),
    .mergesAtOnce(pipeline: "p"), .periodsDisagree(path: "a", first: "1", second: "2"),
    .nothingToChange(pipeline: "p", release: nil), .lacksTable(release: "r", target: "t"),
    .outOfSequence(
      PeriodMismatch(source: "s", period: period, release: "r", held: "2024-12-01", problem: .gap)),
    .unknownColumns(target: "t", columns: ["c"]), .keyMismatch(target: "t", key: ["k"]),
    .tooManyRejects(rejected: 3, read: 9, limit: "0", kept: 3, reasons: []),
    .rowRefused(entry: "a.csv", target: "t", place: "line 3", reason: "no"),
    .wouldHide(release: "r", targets: ["t"]), .wouldLoseChanges(release: "r", until: "2025-01-01"),
    .sampleOverReal(release: "r"), .nothingLoaded,
    .releaseOfAnother(release: "r", pipeline: "p", target: "t"),
    .nothingToAmend(release: "r"), .amendedAsLoaded(release: "r", by: "a.csv"),
    .earlierFile(release: "r", entry: "a", published: "b"), .publishBlocked(pipeline: "p", release: "r"),
    .sourceChanged("a.csv"), .gatesFailed([gate("adds-up"), gate("unique-key-items", isKey: true)]),
    .countsDoNotAddUp(report), .rowsWithoutRecords(report, target: "t", rows: 3), .busy(pipeline: "p"),
    .takenOver(run: 3), .failedOver(run: 3), .stagedTablesLost(["t"]), .behindPooler, .cancelled,
    .checkFailed(rule: "adds-up", file: "adds-up.sql", mark: nil, sqlState: "", reason: "no"),
  ]

  private static func gate(_ rule: String, isKey: Bool = false) -> GateReport {
    GateReport(
      rule: rule, severity: .fail, passed: false, found: 2, about: "It must.",
      places: [
        GateReport.Place(file: "a.csv", line: 12), GateReport.Place(file: "a.csv", line: 15),
        GateReport.Place(file: "b.csv", line: 3),
      ], mayBeAccepted: !isKey)
  }

  @Test func `Every reason of a run is looked at here`() throws {
    let path = Known.checkout + "/Sources/PipelineCore/Errors/RunError.swift"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let declared = text.matches(of: /(?m)^  case (\w+)/).map { String($0.1) }
    let looked = Self.runErrors.map { error in
      Mirror(reflecting: error).children.first?.label ?? String(describing: error)
    }
    #expect(declared.count > 40)
    // A case without values has no label, and is described by a sentence.
    let plain = ["nothingLoaded", "behindPooler", "cancelled"]
    #expect(Set(declared).subtracting(plain) == Set(looked).intersection(declared))
  }

  @Test(arguments: runErrors)
  func `The hint of a run's error is one sentence that its message does not say`(error: RunError) {
    #expect(!error.hint.isEmpty && !error.hint.hasSuffix(".") && !error.description.contains(error.hint))
  }

  @Test func `Refusals name the option or the command that goes on from there`() {
    for (error, words) in [
      (.incomplete(path: "a", missing: ["s"]), "--allow-missing"),
      (.unknownRelease(path: "a", example: "2025D"), "--release 2025D"),
      (.impossibleRelease(reason: "no", isGiven: true, example: "2025D"), "--release 2025D"),
      (.tooManyRejects(rejected: 3, read: 9, limit: "0", kept: 3, reasons: []), "--max-rejects 3"),
      (.gatesFailed([Self.gate("adds-up"), Self.gate("agrees")]), "--accept adds-up --accept agrees"),
      (.gatesFailed([Self.gate("unique-key-items", isKey: true)]), "duplicates: set-aside"),
    ] as [(RunError, String)] {
      #expect(error.hint.contains(words), "\(error.hint)")
    }
    #expect(!RunError.gatesFailed([Self.gate("unique-key-items", isKey: true)]).hint.contains("--accept"))
  }

  @Test func `Rules say in which lines of which files`() {
    #expect(
      Self.gate("adds-up").telling
        == "adds-up: 2 found, first in line 12, 15 of a.csv and line 3 of b.csv. It must.")
  }

  @Test func `What cannot be read, replayed or moved says it, too`() {
    let choice = SheetChoice.numbered(2)
    let records: [RecordsError] = [
      .missing(path: "a"), .unreadable(path: "a", reason: "no"),
      .brokenArchive(path: "a", entry: nil, reason: "no"), .emptyArchive(path: "a"),
      .tooMuch(path: "a", entry: nil, found: "is b"),
      .notAnArchive(path: "a", found: "b"), .encrypted(path: "a", entry: nil),
      .unsupportedCompression(path: "a", entry: "b", method: "c"), .entryGone(path: "a", entry: "b"),
      .protectedWorkbook(path: "a", entry: nil), .notAWorkbook(path: "a", entry: nil, found: "b"),
      .brokenWorkbook(path: "a", entry: nil, reason: "no"), .brokenXML(path: "a", entry: nil, reason: "no"),
      .notText(path: "a", entry: nil, found: "b"), .notUTF8(path: "a", entry: nil),
      .noSuchSheet(path: "a", entry: nil, sheet: choice, sheets: []),
    ]
    for error in records { #expect(error.description.hasSuffix(". " + error.hint)) }
    let replays: [ReplayError] = [
      .notInPlace(run: 1, state: .published, by: 2, isOverLimit: false),
      .notInPlace(run: 1, state: .published, by: nil, isOverLimit: false),
      .notInPlace(run: 1, state: .refused, by: nil, isOverLimit: true),
      .amendedAsLoaded(run: 1, entry: "a"), .nothingRefused(run: 1),
      .severalEntries(run: 1, path: "a", names: ["b", "c"]),
      .unknownFiles(path: "a", found: [], names: ["b"]), .layoutGone(entry: "a", layout: "b"),
    ]
    for error in replays { #expect(!error.hint.isEmpty && !error.description.contains(error.hint)) }
    let moves: [ReleaseOperationError] = [
      .unknown(pipeline: "p", release: "r", known: []), .notPublished(release: "r"),
      .nothingToRollBack(pipeline: "p", release: nil), .tableLost(release: "r", revision: 1, table: "t"),
      .busy(pipeline: "p"), .blocked(pipeline: "p", release: nil, sessions: []),
      .unknownRevision(release: "r", revision: 2, known: [1]),
      .isCurrent(pipeline: "p", release: "r", isPinned: false),
      .revisionIsPublished(pipeline: "p", release: "r", revision: 1),
    ]
    for error in moves { #expect(!error.hint.isEmpty && !error.description.contains(error.hint)) }
  }
}
