import PostgreSQL
import TestSupport
import Testing

@Suite struct QuoteTests {
  /// Characters that mean something to SQL, to escapes or to patterns, and some that only look so.
  private static let marks: [Character] = [
    "'", "\"", "\\", "$", ";", "-", "/", "*", ".", ",", "%", "_", "{", "}", "(", ")", "\n", "\t", "\r", " ",
    "\r\n",
    "é", "e\u{301}", "\u{2019}", "🩺", "U", "&", "E", "x", "\u{1}", "\u{7f}", "0",
  ]

  private static func text(length: Int, _ random: inout SystemRandomNumberGenerator) -> String {
    String((0..<length).compactMap { _ in marks.randomElement(using: &random) })
  }

  @Test func `Literals of odd characters come back, whatever the server's setting`() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    var random = SystemRandomNumberGenerator()
    for setting in ["on", "off"] {
      try connection.execute("SET standard_conforming_strings = \(setting); SET escape_string_warning = off")
      for round in 0..<300 {
        let text = QuoteTests.text(length: round % 12, &random)
        let back = try connection.execute("SELECT \(Quote.literal(text))")[0][0]
        // By scalars: texts that differ only in how an accent is written count as equal.
        #expect(
          back.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(text.debugDescription)")
      }
    }
  }

  @Test func `Identifiers of odd characters name what they made`() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    var random = SystemRandomNumberGenerator()
    for round in 0..<200 {
      // A name has 63 bytes.
      let name = QuoteTests.text(length: 1 + round % 10, &random)
      let result = try connection.execute("SELECT 1 AS \(Quote.identifier(name))")
      #expect(Array((result.columns.first ?? "").unicodeScalars) == Array(name.unicodeScalars))
      #expect(result[0][name] == "1")
    }
    try connection.execute("CREATE TABLE \(Quote.identifier("a.b\"; DROP"))(n int)")
    #expect(
      try connection.query("SELECT relname FROM pg_class WHERE relname = $1", ["a.b\"; DROP"]).count == 1)
  }

  @Test func `A qualified name is quoted part by part`() {
    #expect(Quote.qualified("cms.rvu") == "\"cms\".\"rvu\"")
    #expect(Quote.qualified("rvu") == "\"rvu\"")
  }
}
