import PipelineCore
import PipelineEngine
import Reporting
import Values

/// The commonest reasons as scripts rely on them.
func json(_ reasons: [RejectReason]) -> JSON {
  .array(
    reasons.prefix(RejectReason.shownReasons).map { reason in
      .object([
        ("source", .string(reason.source)), ("entry", JSON(reason.entry)), ("rule", .string(reason.rule)),
        ("column", JSON(reason.column)), ("records", .integer(reason.records)),
        (
          "examples",
          .array(
            reason.examples.map { example in
              .object([
                ("file", .string(reason.file)), ("entry", JSON(reason.entry)),
                ("line", .integer(example.line)),
                ("value", JSON(example.value)),
              ])
            })
        ),
      ])
    })
}

/// Tells what was refused and yet published, in short.
func warn(ofRejects report: RunReport, _ session: Session) {
  guard !report.rejects.isEmpty, report.state != .unchanged else { return }
  let (read, refused) = report.sources.records
  session.warn(
    "\(refused.grouped) of \(read.grouped) records were refused and kept: 'rivulet rejects list \(report.run)' lists "
      + "them, 'rivulet rejects export \(report.run) -o FILE' writes them to be corrected")
  for reason in report.rejects.prefix(RejectReason.shownReasons) {
    session.warn(
      "\(reason.records.grouped) \(reason.summary)" + (reason.lines.first.map { ", first \($0)" } ?? ""))
  }
}
