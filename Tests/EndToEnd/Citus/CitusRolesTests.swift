import PostgreSQL
import TestSupport
import Testing

/// The roles that `rivulet roles` makes, where tables are distributed.
@Suite("The roles of a cluster of Citus", .needsCitus)
struct CitusRolesTests {
  @Test("are the owner's who migrates, loads and publishes, a loader's who refreshes, and a reader's")
  func roles() throws {
    let database = try CitusServer.shared.makeDatabase()
    let administrator = Program(database: database.url)
    let prefix = database.name
    func apply() throws { try administrator.run("roles", "--apply", "--prefix", prefix).succeeded() }
    try apply()
    let connection = try database.connect()
    for role in ["owner", "loader", "reader"] {
      try connection.execute(
        """
        CREATE ROLE \(role)_\(prefix) LOGIN IN ROLE \(prefix)_\(role);
        ALTER ROLE \(role)_\(prefix) SET role TO \(prefix)_\(role)
        """)
    }
    let (host, port) = (database.target.options["host"] ?? "", database.target.options["port"] ?? "")
    func program(_ role: String) -> Program {
      Program(database: "postgresql://\(role)_\(prefix)@\(host):\(port)/\(database.name)")
    }
    let (owner, loader, reader) = (program("owner"), program("loader"), program("reader"))
    // Another database of the cluster has made the roles that migrations grant to: only a superuser may grant to them.
    let other = Program(database: try CitusServer.shared.makeDatabase().url)
    for first in [other, administrator] { try first.run("migrate", "up").succeeded() }
    try apply()
    try owner.run("migrate", "down", "--to", "0059", "--yes").succeeded()
    try owner.run("migrate", "up").succeeded()
    try apply()
    let place = "SELECT count(*) FROM pg_dist_partition WHERE logicalrelid::text ~ '^(directory|facts)'"
    #expect(try database.value(place) == "7")

    let month = try Samples.make("nppes", rows: 300, release: "nppes-2025-10")
    try owner.run("run", "nppes", month).succeeded()
    try owner.run("run", "hospital-facts", Samples.make("hospital-facts", rows: 500)).succeeded()
    try owner.run("releases", "rollback", "nppes").succeeded()
    let refused = ["directory.provider is distributed by Citus", "SET role TO \(prefix)_owner"]
    for words in [
      ["run", "nppes", month, "--force"], ["releases", "publish", "nppes", "nppes-2025-10"],
      ["releases", "drop", "nppes", "nppes-2025-10", "--revision", "1"],
    ] {
      let outcome = try loader.run(words)
      #expect(outcome.status == 1 && refused.allSatisfy { outcome.errors.contains($0) }, "\(outcome.errors)")
    }
    try owner.run("releases", "publish", "nppes", "nppes-2025-10").succeeded()
    // What lies on the coordinator is a loader's as ever.
    try loader.run("run", "cms-rvu", Sample.path).succeeded()
    try connection.execute("UPDATE facts.procedure SET units = units + 1")
    try loader.run("refresh").succeeded()
    try loader.run("refresh", "--check").succeeded()
    try reader.run("query", "provider", "--taxonomy", "2").succeeded()
    #expect(try administrator.run("roles", "--check", "--prefix", prefix).status == 0)
  }
}
