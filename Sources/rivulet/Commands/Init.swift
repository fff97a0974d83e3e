import Definitions
import Host
import PipelineCore
import Values

let initCommand = Command(
  name: "init", summary: "Copies the installed project into a folder of your own, to change it there",
  discussion: """
    Its pipelines, migrations and lists, and rivulet.yaml. In that folder, and in those within it, commands use the copy; \
    elsewhere --project DIR names it. With --project it is that project that is copied.
    """,
  arguments: [Argument("DIR", "the folder: a new or an empty one")],
  examples: ["rivulet init fees", "rivulet init /srv/rivulet"], run: { try initialise($0, $1) })

private func initialise(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let folder = invocation.arguments[0]
  let project = try session.project()
  let place = Path.canonical(folder)
  guard !Files.exists(folder) || Files.isDirectory(folder) else {
    throw invocation.usage("'\(folder)' is a file: name a folder that is new or empty")
  }
  guard try !Files.exists(folder) || Files.list(folder).isEmpty else {
    throw invocation.usage("there is something in '\(folder)': name a folder that is new or empty")
  }
  guard place != project.folder, !place.hasPrefix(project.folder + "/") else {
    throw invocation.usage("'\(folder)' is in the project '\(project.folder)' itself: name one outside")
  }
  try project.copy(to: folder)
  try session.answer(
    json: ["folder": place, "from": project.folder],
    text: "\(place) has the definitions of \(project.folder)\n")
  return ExitCode.done
}
