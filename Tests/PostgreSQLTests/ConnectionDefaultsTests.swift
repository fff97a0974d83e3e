import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("How long a connection may be silent")
struct ConnectionDefaultsTests {
  private static func names(_ specification: String) throws -> [String] {
    try ConnectionTarget(specification).timeouts.map(\.0)
  }

  private static let all = [
    "connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
  ]

  @Test func `is ours to say where nobody else does`() async {
    await #expect(processExitsWith: .success) {
      for name in ["PGSERVICE", "PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGCONNECT_TIMEOUT"] { unsetenv(name) }
      let (ours, named) = (try Self.names(""), try Self.names("host=h user=u"))
      #expect(ours == Self.all)
      #expect(named == Self.all)
    }
  }

  @Test func `is the target's to say`() throws {
    #expect(try !Self.names("connect_timeout=2").contains("connect_timeout"))
    #expect(try !Self.names("postgresql://h/d?keepalives_idle=9").contains("keepalives_idle"))
  }

  @Test func `is the environment's to say`() async {
    await #expect(processExitsWith: .success) {
      setenv("PGCONNECT_TIMEOUT", "2", 1)
      let left = try Self.names("host=h")
      #expect(left == Array(Self.all.dropFirst()))
    }
  }

  @Test func `is a service's to say, which the target names, or else the environment`() async throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "services",
      "[feed]\nconnect_timeout=2\ntcp_user_timeout=1000\n[other]\nhost=h\nsslmode=disable\nkeepalives_idle=9\n"
    )
    await #expect(processExitsWith: .success) { [file = file as String] in
      setenv("PGSERVICEFILE", file, 1)
      let alone = try Self.names("service=feed")
      setenv("PGSERVICE", "feed", 1)
      let (feed, other) = (try Self.names("host=h"), try Self.names("service=other"))
      #expect(alone == Array(Self.all.dropFirst().dropLast()))
      #expect(feed == alone)
      #expect(other == ["connect_timeout"] + Self.all.dropFirst(2))
      let options = try ConnectionTarget("service=other port=7 user=u").options
      #expect(options["host"] == "h" && options["port"] == "7" && options["sslmode"] == "disable")
      #expect(options["user"] == "u")
    }
    withExtendedLifetime(scratch) {}
  }
}
