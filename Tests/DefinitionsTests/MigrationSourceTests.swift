import Definitions
import TestSupport
import Testing

@Suite("The folders of migrations that rivulet.yaml names")
struct MigrationSourceTests {
  private func load(_ text: String) throws -> (project: Project, folder: String, fixture: Fixture) {
    let fixture = try Fixture([
      "rivulet.yaml": "project: test\ntime_zone: UTC\n" + text, "Migrations/0001_a.sql": "",
      "db/tenants/0001_a.sql": "", "db/more/0002_b.sql": "",
    ])
    return (try Project.load(fixture.folder), fixture.folder, fixture)
  }

  @Test("are Migrations, in our own format, where it names none")
  func none() throws {
    let (project, folder, _) = try load("")
    #expect(
      project.migrationSources == [MigrationSource(folders: [folder + "/Migrations"], isNamed: false)])
  }

  @Test("come in their order, with their schemas as a list or a query")
  func all() throws {
    let (project, folder, _) = try load(
      """
      migrations:
        - dir: Migrations
        - {history: tenants, dir: [db/tenants, db/more], schema: [north, south]}
        - {history: more, dir: db/more, schema: SELECT name FROM tenant}

      """)
    #expect(
      project.migrationSources == [
        MigrationSource(folders: [folder + "/Migrations"]),
        MigrationSource(
          history: "tenants", folders: [folder + "/db/tenants", folder + "/db/more"], schemas: "north,south"),
        MigrationSource(
          history: "more", folders: [folder + "/db/more"], schemas: "SELECT name FROM tenant"),
      ])
    #expect(project.migrationSources.map(\.label) == ["Migrations", "tenants", "more"])
  }

  @Test(
    "are refused with their place where they say too little, or the same twice",
    arguments: [
      ("[{history: a, dirs: Migrations}]", "unknown key 'dirs'"),
      ("[{history: a}]", "a folder of migrations needs the key 'dir'"),
      ("[{dir: Migration}]", "rivulet.yaml:3:20: there is no folder 'Migration'"),
      ("[{history: a/b, dir: Migrations}]", "a history's name has no / in it"),
      (
        "[{history: a, dir: Migrations}, {history: a, dir: db/more}]",
        "rivulet.yaml:3:45: the history 'a' is named twice"
      ),
      ("[{dir: Migrations}, {dir: db/more}]", "two of 'migrations' have no 'history'"),
      (
        "[{dir: Migrations}, {dir: db/more, schema: x}]",
        "migrations with a 'schema' beside others need a 'history'"
      ), ("[]", "'migrations' is empty"), ("Migrations", "'migrations' must be a list"),
    ])
  func refused(_ text: String, _ message: String) throws {
    let error = #expect(throws: DefinitionErrors.self) { _ = try load("migrations: \(text)\n") }
    #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(error.map { "\($0)" } ?? "")")
  }

  @Test("are copied with the project, wherever in it they are")
  func copied() throws {
    let (project, _, fixture) = try load("migrations: [{history: a, dir: db/tenants}]\n")
    let scratch = try Scratch()
    try withExtendedLifetime(fixture) { try project.copy(to: scratch.path + "/copy") }
    let copy = try Project.load(scratch.path + "/copy")
    #expect(copy.migrationSources.first?.folders == [copy.folder + "/db/tenants"])
  }
}
