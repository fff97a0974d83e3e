import Definitions
import PipelineEngine
import PostgreSQL
import Store

extension SetupCheck {
  /// Whether revisions are kept that retention would remove.
  static let retention = SetupCheck(
    "retention", .storage, because: "hidden revisions take as much room as published ones"
  ) { subject in
    guard let span = try subject.project().nightly.retention.revisions else {
      return [.ok("rivulet.yaml keeps every revision")]
    }
    let pipelines = try subject.readablePipelines()
    return try subject.readingLedger { connection in
      let retention = Retention(connection: connection)
      let expired = try pipelines.flatMap { try retention.expiredRevisions(of: $0, olderThan: span) }
      let findings = expired.prefix(10).map { revision -> Finding in
        .note(
          "revision \(revision.revision) of \(revision.pipeline) \(revision.release) is hidden for longer "
            + "than rivulet.yaml says",
          fix:
            "rivulet releases drop \(revision.pipeline) \(revision.release.shellWord) "
            + "--revision \(revision.revision) --yes"
        )
      }
      return findings.isEmpty ? [.ok("no hidden revision is older than rivulet.yaml says")] : Array(findings)
    }
  }
}
