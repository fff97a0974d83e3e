import PipelineCore
import PipelineEngine
import Reporting

/// Tells what was refused and yet published, in short.
func warn(ofRejects report: RunReport, _ session: Session) {
  guard !report.rejects.isEmpty, report.state != .unchanged else { return }
  let (read, refused) = report.sources.records
  session.warn(
    "\(refused.grouped) of \(read.grouped) records were refused and kept: 'rivulet rejects list \(report.run)' lists "
      + "them, 'rivulet rejects export \(report.run) -o FILE' writes them to be corrected",
    about: LogSubject(report))
  for reason in report.rejects.prefix(RejectReason.shownReasons) {
    session.warn(
      "\(reason.records.grouped) \(reason.summary)" + (reason.lines.first.map { ", first \($0)" } ?? ""),
      about: LogSubject(report))
  }
}
