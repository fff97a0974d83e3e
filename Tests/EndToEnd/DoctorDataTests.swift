import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `rivulet doctor` finds of releases and views, and of what the role may.
@Suite("Data and rights that rivulet doctor looks at")
struct DoctorDataTests {
  @Test("are a release that is too old, until a newer one is loaded")
  func freshness() throws {
    let year = Calendar(identifier: .gregorian).component(.year, from: Date.now)
    let night = try Night(Night.watching + "\nfreshness: {items: 400d}")
    #expect(try night.doctor("freshness").only("freshness").found == "items has no current release")
    try night.write("source", ["ITEM_20a_.csv": Night.item("a001")])
    try night.load("items", "source/ITEM_20a_.csv").succeeded()
    try night.put("ITEM_\(year % 100)a_.csv", Night.item("a002"))
    try night.expectFixed("freshness", "warning", saying: "items 2020A")
  }

  @Test("are a view that is stale, until it is refreshed, and one that cannot be made")
  func views() throws {
    let views = try OwnViews()
    try views.bundle("items25a", "a001 first")
    try views.own.run("items25a", options: ["--no-refresh"]).succeeded()
    let found = try views.own.doctor("views")
    #expect(found.problems.count >= 3 && Set(found.problems) == ["views warning"], "\(found.outcome.output)")
    for _ in 0..<5 {
      guard let stale = try views.own.doctor("views")["views"].first(where: { $0.state == "warning" }) else {
        break
      }
      #expect(stale.fix?.hasPrefix("rivulet refresh own.") == true)
      try views.own.paste(try #require(stale.fix))
    }
    #expect(try views.own.doctor().problems == [])
    try views.write("own.lost", OwnProject.view(by: "code", "SELECT code FROM own.nothing"))
    let broken = try views.own.doctor("view-definitions")
    #expect(broken.problems == ["view-definitions error"])
    #expect(
      try #require(broken["view-definitions"].first { $0.state == "error" }).found.contains("own.lost.sql"))
    #expect(try views.own.value("SELECT to_regclass('own.lost')") == nil)
  }

  @Test("are views whose tables somebody holds: they are not looked at, and not called wrong")
  func heldViews() throws {
    let views = try OwnViews()
    let holder = try views.database.connect()
    try holder.execute("BEGIN; LOCK TABLE own.item")
    let found = try views.own.doctor("view-definitions")
    #expect(Set(found.problems) == ["view-definitions warning"], "\(found.outcome.output)")
    #expect(found["view-definitions"].allSatisfy { $0.found.hasPrefix("not looked at: ") })
    try holder.execute("ROLLBACK")
    #expect(try views.own.doctor("view-definitions").problems == [])
  }

  @Test("are missing to a role that may only connect: it learns of each, and can work once it has them")
  func rights() throws {
    let own = try OwnDataset()
    let (role, owner) = ("connects_\(own.database.name)", "owns_\(own.database.name)")
    try own.database.connect().execute(
      """
      CREATE ROLE \(role) LOGIN; CREATE ROLE \(owner);
      REVOKE USAGE ON SCHEMA rivulet FROM PUBLIC;
      DO $$ DECLARE t text; BEGIN
        FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'own' LOOP
          EXECUTE format('ALTER TABLE own.%I OWNER TO \(owner)', t);
        END LOOP;
      END $$
      """)
    let program = Program(database: own.database.url(as: role))
    let hidden = try own.database.connect()
    let first = try own.doctor(as: program)
    #expect(first["transactions"].contains { $0.fix == "GRANT pg_read_all_stats TO \"\(role)\";" })
    withExtendedLifetime(hidden) {}
    #expect(try first.only("server-disk").found.contains("not for this role to see"))
    #expect(first["owners"].contains { $0.fix == "GRANT USAGE, CREATE ON SCHEMA \"own\" TO \"\(role)\";" })
    #expect(Set(first.problems).isSuperset(of: ["rights error", "owners error", "ledger warning"]))
    for found in first.all where ["ledger", "unfinished-runs", "views"].contains(found.check) {
      #expect(found.found.contains("not looked at"), "\(found)")
    }
    #expect(first["transactions"].allSatisfy { $0.state != "error" })
    for _ in 0..<12 {
      let found = try own.doctor(as: program)
      guard let next = found.wrong.first else { break }
      try own.paste(try #require(next.fix, "\(next)"))
    }
    let last = try own.doctor(as: program)
    #expect(last.problems == [], "\(last.outcome.output)")
    try own.write("items25a", ["ITEM.csv": "a001,1,words,1.00,,a"])
    try program.run(["run", "items", own.path("items25a")] + own.project).succeeded()
  }

  @Test("are the right to make schemas, which is an error only where nothing is there yet")
  func schemas() throws {
    let own = try OwnProject(OwnDataset.files)
    let role = "makes_\(own.database.name)"
    try own.database.connect().execute("CREATE ROLE \(role) LOGIN")
    let program = Program(database: own.database.url(as: role))
    try own.expectFixed("rights", "error", saying: "may not make schemas", as: program)
    try program.run(["migrate", "up"] + own.project).succeeded()
    #expect(try own.doctor(as: program).problems == [])
  }

  @Test("are roles that a pending migration names")
  func roles() throws {
    let own = try OwnDataset()
    let role = "named_\(own.database.name)"
    try own.scratch.write(
      "Migrations/0002_grants.sql",
      "-- rivulet:up\nGRANT SELECT ON own.meaning TO \(role);\n"
        + "-- rivulet:down\nREVOKE SELECT ON own.meaning FROM \(role);\n")
    try own.expectFixed("roles", "error", saying: role)
    try own.command("migrate", "up").succeeded()
  }

  @Test("are extensions: one that is gone, and one that the server's machine lacks")
  func extensions() throws {
    let own = try OwnDataset()
    try own.scratch.write(
      "Migrations/0002_texts.sql",
      "-- rivulet:up\nCREATE EXTENSION pg_trgm;\n-- rivulet:down\nDROP EXTENSION pg_trgm;\n")
    #expect(try own.doctor("extensions").only("extensions").state == "ok")
    try own.command("migrate", "up").succeeded()
    try own.database.connect().execute("DROP EXTENSION pg_trgm")
    try own.expectFixed("extensions", "error", saying: "'pg_trgm'")
    try own.scratch.write(
      "Migrations/0003_vectors.sql",
      "-- rivulet:up\nCREATE EXTENSION nonesuch;\n-- rivulet:down\nDROP EXTENSION nonesuch;\n")
    let missing = try #require(try own.doctor("extensions")["extensions"].last)
    #expect(missing.state == "error" && missing.found.contains("'nonesuch' is not installed"))
    #expect(missing.fix?.hasPrefix("apt-get install postgresql-") == true)
  }
}
