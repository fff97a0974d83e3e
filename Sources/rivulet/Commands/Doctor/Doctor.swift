import Definitions
import Diagnosis
import Fetching
import Host
import PostgreSQL
import Reporting

let doctorCommand = Command(
  name: "doctor", summary: "Finds what is wrong with this set-up, and names the command that fixes it",
  discussion: """
    Looks at the definitions, the server, rights, locks, tables, disks, what was loaded, and this machine.
    It changes nothing and starts nothing, and says what it could not look at. The exit code is 1 where there
    is an error, else 0. A fix that ends in a semicolon is for psql ('rivulet db shell').
    """,
  arguments: [
    Argument("CHECK", "only these checks, or groups: \(SetupCheck.Group.names)", .any)
  ],
  examples: ["rivulet doctor", "rivulet doctor locks transactions", "rivulet doctor rights --format json"],
  run: { try diagnose($0, $1) })

private func diagnose(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let checks = try chosen(invocation)
  let (database, isEmbedded) = session.databaseAsItIs()
  let subject = Subject(
    project: Result { try session.project() }, database: database, isEmbedded: isEmbedded,
    cacheFolder: DownloadCache.usual?.folder
  ) { error in
    let failure = Failure(error)
    return (failure.sentence, failure.hint)
  }
  let answer = DoctorAnswer(try subject.examine(checks), naming: FixOptions(invocation))
  try session.answer(
    json: answer.json, text: answer.text(isMarked: session.style.width != nil && Terminal.isUTF8))
  return answer.errors > 0 ? ExitCode.failed : ExitCode.done
}

/// The checks that are named, each or by its group; all where none is.
private func chosen(_ invocation: Invocation) throws -> [SetupCheck] {
  if invocation.arguments.isEmpty { return SetupCheck.all }
  for name in invocation.arguments where !SetupCheck.all.contains(where: { $0.isMeant(by: name) }) {
    let known = SetupCheck.Group.allCases.map(\.rawValue) + SetupCheck.all.map(\.name)
    let hint = NearestName.hint(name, among: known, called: "there are") ?? ""
    throw invocation.usage("there is no check '\(name)'; \(hint)")
  }
  return SetupCheck.all.filter { check in invocation.arguments.contains(where: check.isMeant) }
}

extension SetupCheck {
  /// Whether a word on the command line is its name, or that of its group.
  fileprivate func isMeant(by word: String) -> Bool { name == word || group.rawValue == word }
}

extension SetupCheck.Group {
  /// All of them, for people.
  fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Session {
  /// The database as it is: nothing is made, and nothing started.
  fileprivate func databaseAsItIs() -> (Subject.Database, isEmbedded: Bool) {
    do {
      switch try databaseChoice() {
      case .named(let target, let origin):
        return (reach(target, name: "\(target.label) (\(origin))"), false)
      case .embedded:
        let cluster = try EmbeddedCluster()
        let status = cluster.status()
        guard status.state == .running else { return (.stopped(status), true) }
        return (reach(try cluster.target, name: "the embedded database"), true)
      }
    } catch let error as UsageError {
      return (.unnamed(error), false)
    } catch {
      return (.failed(error, target: nil), true)
    }
  }

  private func reach(_ target: ConnectionTarget, name: String) -> Subject.Database {
    do {
      return .reached(try connect(to: target), name: name)
    } catch {
      return .failed(error, target: target)
    }
  }
}
