import Testing

@testable import MigrationEngine

@Suite("The order in which tables are moved over a cluster")
struct PlacementOrderTests {
  private func mark(_ table: String, with other: String? = nil) -> PlacementMark {
    PlacementMark(
      SQLName(schema: "s", table), .distributed(by: "id", with: other.map { SQLName(schema: "s", $0) }))
  }

  private func order(_ marks: [PlacementMark]) -> [String] { PlacementOrder.sorted(marks).map(\.table) }

  @Test("is that of the marks, each table after the one that it lies beside")
  func order() {
    #expect(order([mark("a"), mark("b"), mark("c")]) == ["s.a", "s.b", "s.c"])
    #expect(
      order([mark("a", with: "b"), mark("b", with: "c"), mark("c"), mark("d")]) == [
        "s.c", "s.b", "s.a", "s.d",
      ])
    // What is not moved is there already, or is what is wrong.
    #expect(order([mark("a", with: "x"), mark("b")]) == ["s.a", "s.b"])
    #expect(order([mark("a", with: "b"), mark("b", with: "a"), mark("c")]) == ["s.c", "s.a", "s.b"])
  }
}
