import Host
import Values

let manualCommand = Command(
  name: "manual", summary: "Writes the manual's pages, a file for each command, for man",
  options: [Option("--output", short: "-o", value: "DIR", "the folder for them (default: this one)")],
  examples: ["rivulet manual -o man1", "man ./man1/rivulet.1"], run: { try manual($0, $1) })

private func manual(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let folder = invocation["--output"] ?? "."
  try Files.makeDirectory(folder)
  let pages = ManualPage.all(of: Rivulet.root, globals: Rivulet.globals, version: Rivulet.version)
  for page in pages {
    try Files.write(page.text, to: Path.join(folder, page.fileName))
  }
  try session.answer(
    json: ["folder": folder, "pages": pages.map(\.fileName)],
    text: "\(pages.count) pages are in \(folder)\n")
  return ExitCode.done
}
