import Foundation
import PostgreSQL
import TestSupport
import Testing

extension HostileNameTests {
  @Test("of a schema, a table or a column survives a migration, its script and the dump byte for byte")
  func migrations() throws {
    let (up, down) = Self.names.reduce(into: ("", "")) { text, name in
      let quoted = Self.identifier(name)
      text.0 += """
        CREATE SCHEMA \(quoted);
        CREATE TABLE \(quoted).\(quoted) (\(quoted) text PRIMARY KEY, n int);
        CREATE INDEX \(Self.identifier("i" + name)) ON \(quoted).\(quoted) (n);
        COMMENT ON COLUMN \(quoted).\(quoted).n IS \(Quote.literal(name));

        """
      text.1 += "DROP SCHEMA \(quoted) CASCADE;\n"
    }
    let files = [
      "rivulet.yaml": "project: own\ntime_zone: UTC\n",
      "Migrations/0001_names.sql": "-- rivulet:up\n\(up)-- rivulet:down\n\(down)",
    ]
    let (project, other, third) = (
      try OwnProject(files), try TestServer.shared.makeDatabase(), try TestServer.shared.makeDatabase()
    )
    // psql runs the script and the dump as they come out of a pipe.
    let script = try project.command("migrate", "plan", "--script").succeeded().output
    expectPlain(try project.command("migrate", "up").succeeded(), "up")
    let dump = try project.command("migrate", "dump").succeeded().output
    let made = """
      SELECT encode(convert_to(n.nspname || '|' || c.relname || '|' || a.attname, 'UTF8'), 'hex')
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND a.attnum = 1 
        AND n.nspname NOT LIKE 'pg%' AND n.nspname NOT IN ('rivulet', 'information_schema')
      ORDER BY 1
      """
    let wanted = Self.names.map { name in
      "\(name)|\(name)|\(name)".utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    for (database, sql) in [(other, script), (third, dump)] {
      let file = try project.scratch.write("script.sql", sql)
      try Shell.run(
        "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", file, database.url, in: project.scratch.path)
      #expect(try database.rows(made) == wanted.sorted())
    }
    #expect(try project.rows(made) == wanted.sorted())
    for words in [
      ["migrate", "status"], ["migrate", "lint"], ["migrate", "plan", "--format", "json"], ["doctor"],
      ["describe", "x"],
    ] {
      expectPlain(try project.command(options: words), "\(words)")
    }
    for name in Self.names { expectPlain(try project.command("describe", "\(name).\(name)"), name) }
    try project.command("docs", "-o", project.path("pages")).succeeded()
    #expect(try !scripts(in: project.path("pages")).contains(">alert(1)"))
    expectPlain(try project.command("migrate", "down", "--steps", "1", "--yes").succeeded(), "down")
    #expect(try project.rows(made).isEmpty && !FileManager.default.fileExists(atPath: project.path("x")))
  }

  @Test("of a migration's file is refused, and of a history is one of its own")
  func histories() throws {
    for name in Self.names.dropLast() {
      let file = "Migrations/0002_\(name.replacing("/", with: "_")).sql"
      try own.scratch.write(file, "-- rivulet:up\nCREATE TABLE own.x (n int);\n")
      expectPlain(try own.command("migrate", "up").failed(2, saying: "not a migration's name"), name)
      try FileManager.default.removeItem(atPath: own.path(file))
    }
    try own.scratch.write("more/0001_m.sql", "-- rivulet:up\nCREATE TABLE IF NOT EXISTS own.more (n int);\n")
    for name in Self.names {
      let words = ["migrate", "up", "--dir", own.path("more"), "--history", name]
      expectPlain(try own.command(options: words).succeeded(), name)
    }
    expectPlain(try own.command("migrate", "status", "--format", "json").succeeded(), "status")
  }

  @Test("of a database is one to connect to, and is shown as text")
  func databases() throws {
    let administration = try own.database.connect()
    for name in Self.names {
      try administration.execute("CREATE DATABASE \(Self.identifier(name))")
      defer { _ = try? administration.execute("DROP DATABASE \(Self.identifier(name)) WITH (FORCE)") }
      let place = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let url = own.database.url.replacing("/\(own.database.name)", with: "/" + place)
      for words in [
        ["migrate", "up"], ["migrate", "status", "--format", "json"], ["doctor", "--format", "json"],
      ] {
        expectPlain(try own.command(options: words + ["--database", url]), "\(words) \(name)")
      }
      #expect(try own.command("migrate", "status", "--check", "--database", url).status == 0, "\(name)")
    }
  }
}
