import Foundation
import TestSupport
import Testing

/// What a shell completes, and what `man` shows: both are made from the declarations of the commands.
@Suite("In the shell")
struct ShellTests {
  private let program: Program

  init() throws { program = try Loaded.sample().1 }

  /// The words that a line may go on with.
  private func words(_ line: String...) throws -> [String] {
    try program.run(["complete", "--"] + line).succeeded().output.split(separator: "\n")
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("words are completed by what commands, the project and its database have")
  func words() throws {
    #expect(try words("ru") == ["run", "runs"])
    #expect(try words("migrate", "re") == ["redo", "renumber", "repair"])
    #expect(try words("--quiet", "migrate", "up", "--to", "0033") == ["0033"])
    #expect(try words("run", "cms-rv") == ["cms-rvu"])
    #expect(try words("run", "cms-rvu", "") == [":path"])
    #expect(try words("run", "cms-rvu", "a.zip", "--openlineage", "") == [":path"])
    #expect(try words("run", "cms-rvu", "a.zip", "b") == [":path"])
    #expect(try words("releases", "drop", "cms-rvu", "") == ["2025D"])
    #expect(try words("releases", "drop", "nppes", "").isEmpty)
    #expect(try words("runs", "show", "") == ["1"])
    #expect(try words("refresh", "mart.paym") == ["mart.payment"])
    #expect(try words("query", "pri") == ["price"])
    #expect(try words("query", "price", "--hc") == ["--hcpcs"])
    #expect(try words("query", "price", "--hcpcs", "99213", "--lo").contains("--locality"))
    #expect(try words("query", "price", "--hcpcs", "--lo").isEmpty, "it is a value")
    #expect(try words("--format=j") == ["--format=json"])
    #expect(try words("--format", "j") == ["json"])
    #expect(try words("help", "migrate", "li") == ["lint"])
    #expect(try words("version", "x").isEmpty && words("comp") == ["completions"])
    // Without a project or a database there is less, and nothing is said.
    let lost = try Program().run(["complete", "--", "--project", "/nowhere", "run", ""])
    #expect(lost.status == 0 && lost.output.isEmpty && lost.errors.isEmpty)
  }

  /// A folder that has the program by its name, as people call it.
  private func shell(_ name: String, _ script: String) throws -> String {
    let scratch = try Scratch()
    try scratch.write("completions", program.run("completions", name).succeeded().output)
    try scratch.write("script", script)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/rivulet", withDestinationPath: Program.path)
    let place = "PATH='\(scratch.path)':$PATH RIVULET_DATABASE_URL=none; export PATH RIVULET_DATABASE_URL"
    return try Shell.run(
      "sh", "-c",
      "\(place); cd '\(SharedData.project)' && exec \(name) '\(scratch.path)/script' '\(scratch.path)/completions'"
    )
  }

  @Test("bash completes them, also behind = and :")
  func bash() throws {
    let ask = """
      . "$1"; ask() { COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rivulet; echo "${COMPREPLY[*]}"; }
      ask rivulet run cms-rv; ask rivulet migrate re; ask rivulet --format = j; ask rivulet run cms-rvu Pack
      ask rivulet query mart.paym; complete -p rivulet
      """
    #expect(
      try shell("bash", ask) == """
        cms-rvu
        redo renumber repair
        json
        Package.swift
        mart.payment
        complete -F _rivulet rivulet

        """)
  }

  @Test("fish completes them, with what each is")
  func fish() throws {
    let found = try shell(
      "fish", "source $argv[1]; complete -C 'rivulet run cms-rv'; complete -C 'rivulet migrate re'")
    #expect(
      found.contains("cms-rvu\tMedicare physician fee schedule") && found.contains("redo\t"), "\(found)")
  }

  @Test("zsh completes them, with what each is")
  func zsh() throws {
    let ask = """
      compdef() { :; }; compset() { return 0; }; _files() { echo files; }
      compadd() { shift 3; [[ $1 == shown ]] && shift; [[ $1 == -- ]] && shift; echo "$@"; print -l -- $shown; }
      source "$1"; ask() { words=("$@"); CURRENT=$#; _rivulet; }
      ask rivulet run cms-rv; ask rivulet migrate re; ask rivulet run cms-rvu Pack
      """
    let found = try shell("zsh", ask)
    #expect(found.hasPrefix("cms-rvu\ncms-rvu  Medicare physician fee schedule"), "\(found)")
    #expect(found.contains("redo renumber repair\n") && found.hasSuffix("files\n"), "\(found)")
  }

  @Test("man shows a page for each command without a warning")
  func manual() throws {
    let scratch = try Scratch()
    try program.run("manual", "-o", scratch.path + "/man1").succeeded(showing: "pages are in")
    let pages = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/man1").sorted()
    let commands = try program.run("complete", "--", "").succeeded().output.split(separator: "\n")
      .map { "rivulet-\($0.prefix { $0 != "\t" }).1" }
    #expect(Set(pages) == Set(commands + ["rivulet.1"]))
    for page in pages {
      let complaints = try Shell.run(
        "sh", "-c", "man --warnings -E UTF-8 -P cat -l '\(scratch.path)/man1/\(page)' 2>&1 >/dev/null")
      #expect(complaints.isEmpty, "\(page): \(complaints)")
    }
    let shown = try Shell.run(
      "sh", "-c", "MANWIDTH=90 man -P cat -l '\(scratch.path)/man1/rivulet-migrate.1'")
    #expect(
      shown.contains("MIGRATE UP") && shown.contains("--single-transaction") && shown.contains("SEE ALSO"))
  }
}
