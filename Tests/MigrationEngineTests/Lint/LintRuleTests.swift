import Testing

@testable import MigrationEngine

/// Each rule on SQL that it is for, and on SQL close to it.
@Suite("The rules of the lint")
struct LintRuleTests {
  @Test(
    "name the place of what they find, and nothing beside it",
    arguments: cases)
  func places(of example: LintCase) throws {
    #expect(try example.found() == example.expected)
  }

  static let cases = (locks + keys + types + columns + others + losses).flatMap(\.self)
}
