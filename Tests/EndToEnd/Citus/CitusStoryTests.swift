import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The same migrations, loads and views on one server and on a cluster of three.
@Suite("On a cluster of Citus", .needsCitus)
struct CitusStoryTests {
  private static let placed = [
    "directory.provider", "directory.provider_address", "directory.provider_identifier",
    "directory.provider_name", "directory.provider_taxonomy", "facts.procedure", "facts.visit",
  ]

  @Test("migrations place tables, say so before, are no drift, and go back and forth")
  func migrations() throws {
    let pair = try ClusterPair()
    let program = Program(database: pair.spread.url)
    try program.run("migrate", "plan").succeeded(
      showing: "places directory.provider: distributed by source_id",
      "places directory.provider_name: distributed by source_id with directory.provider")
    try pair.run("migrate", "up")
    // With facts go the views over them, and what these have beside the shards.
    let places = """
      SELECT logicalrelid::text FROM pg_dist_partition WHERE logicalrelid::text ~ '^(directory|facts)' ORDER BY 1
      """
    #expect(try pair.spread.rows(places) == Self.placed)
    let groups = "SELECT count(DISTINCT colocationid) FROM pg_dist_partition WHERE partmethod = 'h'"
    // Providers, and facts of users.
    #expect(try pair.spread.value(groups) == "2")
    try program.run("migrate", "status", "--drift").succeeded(showing: "no drift")
    let dumps = try [pair.plain, pair.spread].map {
      try Program(database: $0.url).run("migrate", "dump").succeeded().output
    }
    #expect(dumps[0] == dumps[1])
    try pair.run("migrate", "down", "--to", "0", "--yes")
    #expect(try pair.spread.rows(places) == [])
    let script = try program.run("migrate", "plan", "--script").succeeded().output
    #expect(script.contains("create_distributed_table"))
    try pair.run("migrate", "up")
    #expect(try pair.spread.rows(places) == Self.placed)
    // One step back, they are on the coordinator again.
    try program.run("migrate", "down", "--to", "0059", "--yes").succeeded()
    #expect(try pair.spread.rows(places) == [])
  }

  @Test("loads, merges, publications and the views over them hold what they hold on one server")
  func content() throws {
    let pair = try ClusterPair()
    let providers = try Samples.make("nppes", rows: 300, release: "nppes-2025-10")
    let later = try Samples.make("nppes", rows: 320, release: "nppes-2025-11")
    try pair.run("migrate", "up")
    try pair.run("run", "nppes", providers)
    try pair.run("run", "cms-rvu", Sample.path)
    for system in ["rvutrack", "clara", "oncall", "doula", "ccc", "hospital-facts"] {
      try pair.run("run", system, "\(SharedData.project)/Data/samples/\(system)-sample.zip")
    }
    let accepted = ["--accept", "row-change-providers", "--accept", "row-change-locations"]
    try pair.run(["run", "nppes", later] + accepted)
    try pair.run(["run", "nppes", later, "--force"] + accepted)
    try pair.expectSameContent()
    try pair.run("releases", "pin", "nppes", "nppes-2025-10")
    try pair.run("refresh")
    try pair.run("refresh", "--check")
    try pair.expectSameContent()
    try pair.run("releases", "pin", "nppes", "--clear")
    try pair.run("releases", "rollback", "nppes")
    try pair.run("refresh")
    try pair.expectSameContent()
    try pair.run("releases", "publish", "nppes", "nppes-2025-11")
    try pair.run("releases", "drop", "nppes", "nppes-2025-10")
    try pair.run("refresh", "--full")
    try pair.expectSameContent()
  }

  @Test(
    "who practises where, who may be the same, and who is found in a network are what they are on one server")
  func directories() throws {
    let pair = try ClusterPair()
    let scratch = try Scratch()
    let providers = try Samples.make("nppes", rows: 300, release: "nppes-2025-11")
    try pair.run("migrate", "up")
    try pair.run("run", "nppes", providers)
    let known = """
      FROM directory.provider_name n JOIN directory.provider p USING (release, source_id)
      JOIN directory.provider_address a USING (release, source_id)
      WHERE n.last_name IS NOT NULL AND n.slot = 1 AND a.use = 'practice'
      """
    let people = try pair.plain.rows(
      "SELECT p.npi, n.last_name, n.first_name, left(a.postal_code, 5) \(known) ORDER BY p.npi LIMIT 20"
    ).map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
    let first = try #require(people.first)
    // A list that tells of half of them without their numbers.
    let listed = people.enumerated().map { index, person in
      "\(person[1]),\(person[2]),\(index % 2 == 0 ? person[0] : ""),MD,203-555-01\(10 + index),Cardiology\n"
    }
    try scratch.write(
      "mercy-2025-11-20.csv",
      "Last Name,First Name,NPI,Credentials,Phone,Specialty\n" + listed.joined())
    try pair.run("run", "directory-csv", "\(scratch.path)/mercy-2025-11-20.csv")
    // Two of them in FHIR, one with a number that is none and is left out.
    let resources = [first[0], "9941339100"].enumerated().flatMap { index, npi in
      [
        """
        {"resourceType":"Practitioner","id":"p\(index)","active":true,"identifier":[{"system":\
        "http://hl7.org/fhir/sid/us-npi","value":"\(npi)"}],"name":[{"family":"\(first[1])","given":["\(first[2])"]}]}
        """,
        """
        {"resourceType":"PractitionerRole","id":"r\(index)","active":true,"practitioner":{"reference":\
        "Practitioner/p\(index)"},"telecom":[{"system":"phone","value":"203-555-0177"}]}
        """,
      ]
    }
    try scratch.write("acme-2025-11-20/all.ndjson", resources.joined(separator: "\n") + "\n")
    try pair.run("run", "fhir-directory", "\(scratch.path)/acme-2025-11-20", "--allow-missing")
    #expect(
      try pair.spread.rows("SELECT count(*), count(npi) FROM directory.provider WHERE release LIKE 'acme%'")
        == ["2|1"])
    try pair.expectSameContent()
    for view in ["practice", "practice_by_source", "provider_match"] {
      #expect(try pair.spread.value("SELECT count(*) > 0 FROM directory.\(view)") == "t", "\(view)")
    }
    for words in [
      ["--network", "mercy"], ["--name", first[1], "--near", first[3]],
      ["--near", first[3], "--network", "acme"],
      ["--name", first[1], "--network", "acme"],
      ["--name", first[1], "--near", first[3], "--network", "mercy"],
    ] {
      let answers = try [pair.plain, pair.spread].map {
        try Program(database: $0.url).run(["query", "provider", "--format", "json"] + words).succeeded()
          .output
      }
      #expect(answers[0] == answers[1], "\(words)")
      #expect(answers[0].contains(first[0]), "\(words)")
    }
  }

  @Test("a table that cannot be placed is refused with all reasons, and nothing of its migration is kept")
  func refused() throws {
    let scratch = try Scratch()
    try scratch.write(
      "Migrations/0001_visits.sql",
      """
      -- rivulet:up
      CREATE SCHEMA app;
      -- rivulet:place distributed by user_id
      CREATE TABLE app.visit (id bigint PRIMARY KEY, user_id bigint NOT NULL);
      ALTER TABLE app.visit ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON app.visit USING (user_id = current_setting('app.user')::bigint);
      -- rivulet:down
      DROP SCHEMA app CASCADE;
      """)
    let database = try CitusServer.shared.makeDatabase()
    let program = Program(database: database.url)
    try program.run("migrate", "up", "--dir", scratch.path + "/Migrations").failed(
      2, saying: "0001_visits.sql:3", "app.visit cannot be distributed by user_id",
      "visit_pkey does not hold user_id", "policy own")
    #expect(try database.value("SELECT to_regnamespace('app')") == nil)
    try scratch.write(
      "Migrations/0001_visits.sql",
      """
      -- rivulet:up
      CREATE SCHEMA app;
      -- rivulet:place reference
      CREATE TABLE app.visit (id bigint PRIMARY KEY, user_id bigint NOT NULL);
      -- rivulet:down
      DROP SCHEMA app CASCADE;
      """)
    try scratch.write(
      "Migrations/0002_visits_by_id.sql",
      """
      -- rivulet:up
      -- rivulet:place distributed by id
      COMMENT ON TABLE app.visit IS 'Visits';
      -- rivulet:down
      """)
    try program.run("migrate", "up", "--dir", scratch.path + "/Migrations").failed(
      2, saying: "0002_visits_by_id.sql:2", "it is reference", "rivulet cluster undistribute app.visit")
    // Without Citus the mark means nothing.
    let plain = try TestServer.shared.makeDatabase()
    try Program(database: plain.url).run("migrate", "up", "--dir", scratch.path + "/Migrations").succeeded()
  }

  @Test("a table is refused for what it would lie beside, whom it belongs to, and what would not work there")
  func unfit() throws {
    let scratch = try Scratch()
    let database = try CitusServer.shared.makeDatabase()
    let program = Program(database: database.url)
    let first = """
      -- rivulet:up
      CREATE SCHEMA app;
      CREATE TABLE app.other (id bigint);
      -- rivulet:place distributed by name
      CREATE TABLE app.person (name text NOT NULL);
      CREATE FUNCTION app.note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      """
    let down = "\n-- rivulet:down\nDROP SCHEMA app CASCADE;\n"
    let owner = "nobody_\(database.name)"
    try database.connect().execute("CREATE ROLE \(owner) NOLOGIN")
    for (table, mark, reason) in [
      ("(name varchar NOT NULL)", "by name with app.person", "of another type or collation than name of"),
      ("(name text COLLATE \"POSIX\" NOT NULL)", "by name with app.person", "another type or collation"),
      ("(name text NOT NULL)", "by name with app.other", "is not there, or not distributed"),
      ("(name text NOT NULL)", "by title", "it has no column title"),
      (
        "(name text NOT NULL); ALTER TABLE app.visit OWNER TO \(owner)", "by name",
        "it belongs to \(owner), who may not log in"
      ),
      (
        """
        (name text NOT NULL);
        CREATE TRIGGER audit AFTER INSERT ON app.visit FOR EACH ROW EXECUTE FUNCTION app.note()
        """, "by name", "its trigger audit would not fire there"
      ),
    ] {
      let text = first + "\n-- rivulet:place distributed \(mark)\nCREATE TABLE app.visit \(table);" + down
      try scratch.write("Migrations/0001_visits.sql", text)
      try program.run("migrate", "up", "--dir", scratch.path + "/Migrations").failed(2, saying: reason)
      #expect(try database.value("SELECT to_regnamespace('app')") == nil)
    }
    try database.connect().execute("DROP ROLE \(owner)")
  }
}

/// Tables that refer to each other.
@Suite("Placing tables that refer to each other", .needsCitus)
struct PlacedReferencesTests {
  @Test("leaves none of their rows out, whichever of them follow", arguments: [2, 3])
  func chain(placed count: Int) throws {
    let scratch = try Scratch()
    let marks = ["a", "b", "c"].prefix(count).enumerated().map { index, table in
      "-- rivulet:place distributed by k\(index == 0 ? "" : " with app.a")\nCOMMENT ON TABLE app.\(table) IS 'One of a chain';"
    }
    try scratch.write(
      "Migrations/0001_chain.sql",
      """
      -- rivulet:up
      CREATE SCHEMA app;
      CREATE TABLE app.a (k int, CONSTRAINT a_pkey PRIMARY KEY (k));
      CREATE TABLE app.b (k int, CONSTRAINT b_pkey PRIMARY KEY (k), CONSTRAINT b_a FOREIGN KEY (k) REFERENCES app.a);
      CREATE TABLE app.c (k int, CONSTRAINT c_pkey PRIMARY KEY (k), CONSTRAINT c_b FOREIGN KEY (k) REFERENCES app.b);
      INSERT INTO app.a SELECT generate_series(1, 100);
      INSERT INTO app.b SELECT generate_series(1, 90);
      INSERT INTO app.c SELECT generate_series(1, 80);
      -- rivulet:down
      DROP SCHEMA app CASCADE;
      """)
    try scratch.write(
      "Migrations/0002_places.sql", "-- rivulet:up\n\(marks.joined(separator: "\n"))\n-- rivulet:down\n")
    let database = try CitusServer.shared.makeDatabase()
    let program = Program(database: database.url)
    try program.run("migrate", "up", "--dir", scratch.path + "/Migrations", "--to", "0001").succeeded()
    let outcome = try program.run("migrate", "up", "--dir", scratch.path + "/Migrations")
    // Citus may refuse what a local table refers to; then nothing is changed.
    if count == 3 { try outcome.succeeded() }
    let counts =
      "SELECT (SELECT count(*) FROM app.a), (SELECT count(*) FROM app.b), (SELECT count(*) FROM app.c)"
    #expect(try database.rows(counts) == ["100|90|80"])
    guard count == 3 else { return }
    #expect(try database.value("SELECT pg_relation_size('app.a') + pg_relation_size('app.b')") == "0")
    try program.run("cluster", "undistribute", "--dir", scratch.path + "/Migrations").succeeded()
    #expect(try database.rows(counts) == ["100|90|80"])
  }
}
