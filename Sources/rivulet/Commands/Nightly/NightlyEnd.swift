import Definitions
import Fetching
import Host
import PipelineCore
import Values

/// The end of a night: who hears of it, as `rivulet.yaml` says.
///
/// That somebody cannot be reached is a warning, and changes nothing about the night.
struct NightlyEnd {
  let summary: NightlySummary
  let project: Project
  let session: Session

  /// Calls the heartbeat where all is well, and those who are to know where something is wrong. Nobody hears of
  /// a night that was ended from outside.
  func announce() {
    guard !summary.isCutShort, !Interruption.shared.isRaised else { return }
    if summary.problems.isEmpty { callHeartbeat() } else { reportProblems() }
  }

  private func callHeartbeat() {
    guard let address = project.nightly.heartbeat else { return }
    send("heartbeat", to: address, retries: 1) { WebMessage(calling: $0) }
  }

  private func reportProblems() {
    let rules = project.nightly
    if !rules.notify.isEmpty {
      warn(Notification(key: "notify", command: rules.notify).send(summary.json.text + "\n"))
    }
    if let rule = rules.mail {
      let mail = NightlyMail(summary: summary, project: project.name, rule: rule)
      warn(Notification(key: "mail", command: mail.command).send(mail.message))
    }
    if let address = rules.post {
      send("post", to: address, retries: 1) { WebMessage(posting: summary.json.text, to: $0) }
    }
  }

  private func send(_ key: String, to text: String, retries: Int, _ message: (WebAddress) -> WebMessage) {
    guard let address = WebAddress(text) else { return session.warn("\(key): it is no web address") }
    var message = message(address)
    message.retries = retries
    do {
      try message.send(agent: "rivulet/\(Rivulet.version)")
    } catch {
      session.warn("\(key): \(error)")
    }
  }

  private func warn(_ failure: String?) {
    if let failure { session.warn(failure) }
  }
}
