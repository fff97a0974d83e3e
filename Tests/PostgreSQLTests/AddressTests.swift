import Host
import Testing

@testable import PostgreSQL

@Suite("Where a password goes")
struct AddressTests {
  @Test(
    "is known by the address",
    arguments: [
      ("", true), ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("::ffff:127.0.0.1", true),
      ("10.0.0.7", false), ("192.0.2.1", false), ("fe80::1", false), ("12.7.0.1", false),
    ])
  func addresses(address: String, isOfThisMachine: Bool) {
    #expect(Connection.isOfThisMachine(address) == isOfThisMachine)
  }
}
