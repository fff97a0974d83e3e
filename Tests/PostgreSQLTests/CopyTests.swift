import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

@Suite struct CopyTests {
  private struct Refusal: Error {}

  let database: TestDatabase
  let connection: Connection

  init() throws {
    database = try TestServer.shared.makeDatabase()
    connection = try database.connect()
  }

  private func count(_ table: String) throws -> Int {
    try connection.query("SELECT count(*) FROM \(Quote.qualified(table))")[0].value(0, Int.self)
  }

  private func fill(_ rows: inout CopyBuffer, _ numbers: Range<Int>) throws {
    for number in numbers {
      rows.field(number)
      try rows.endRow()
    }
  }

  @Test func `Every byte but NUL survives, alone and in company`() throws {
    // LATIN1 takes every byte, so the server's encoding does not matter.
    try connection.execute("SET client_encoding = 'LATIN1'; CREATE TABLE field (n int, value text)")
    let fields = (1...255).flatMap { byte -> [[UInt8]] in
      let byte = UInt8(byte)
      return [[byte], [byte, byte], [0x61, byte, 0x4e], [0x5c, byte], Array(repeating: byte, count: 40)]
    }
    let taken = try connection.copy(into: "field", columns: ["n", "value"]) { rows in
      for (number, field) in fields.enumerated() {
        rows.field(number)
        rows.field(field.span)
        try rows.endRow()
      }
    }
    #expect(taken == fields.count)
    let answer = try connection.query("SELECT convert_to(value, 'LATIN1') FROM field ORDER BY n")
    for (row, field) in zip(answer.rows, fields) { #expect(try row.value(0, [UInt8].self) == field) }
  }

  @Test func `A byte to escape is found at every place of fields of every length`() throws {
    try connection.execute("CREATE TABLE field (value text)")
    var fields: [String] = []
    for size in 0...34 {
      for place in 0..<size {
        for mark in ["\t", "\n", "\r", "\\", "\u{b}", "é"] {
          fields.append(
            String(repeating: "7", count: place) + mark + String(repeating: "~", count: size - 1 - place))
        }
      }
    }
    try connection.copy(into: "field", columns: ["value"]) { rows in
      for field in fields {
        rows.field(field)
        try rows.endRow()
      }
    }
    let answer = try connection.query("SELECT value FROM field ORDER BY ctid")
    #expect(answer.count == fields.count)
    for (row, field) in zip(answer.rows, fields) { #expect(row[0] == field) }
  }

  @Test func `NULL, the empty text and texts that look like marks are distinguished`() throws {
    try connection.execute("CREATE TABLE field (n int, value text)")
    let texts: [String?] = [
      nil, "", "\\N", "\\.", "NULL", "\\", "\\\\", "a\tb", "a\nb", "a\r\nb", "\\x41", "\"", "'",
    ]
    try connection.copy(into: "field", columns: ["n", "value"]) { rows in
      for (number, text) in texts.enumerated() {
        rows.field(number)
        if let text { rows.field(text) } else { rows.null() }
        try rows.endRow()
      }
    }
    let answer = try connection.query("SELECT value FROM field ORDER BY n")
    #expect(answer.rows.map { $0[0].map { Array($0.utf8) } } == texts.map { $0.map { Array($0.utf8) } })
  }

  @Test func `Whole numbers of every size and plain fields arrive`() throws {
    try connection.execute("CREATE TABLE number (n bigint, again text)")
    var numbers = [0, 1, -1, 9, 10, -10, .max, .min]
    var power = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power, power - 1, -power, 1 - power]
    }
    try connection.copy(into: "number", columns: ["n", "again"]) { rows in
      for number in numbers {
        rows.field(number)
        rows.plainField(Array("\(number)".utf8).span)
        try rows.endRow()
      }
    }
    #expect(
      try connection.query("SELECT count(*) FROM number WHERE n = again::bigint")[0].value(0, Int.self)
        == numbers.count)
  }

  @Test func `Rows of a thousand columns and fields of megabytes arrive whole`() throws {
    let columns = (1...1000).map { "c\($0)" }
    try connection.execute(
      "CREATE TABLE wide (\(columns.map { "\($0) int" }.joined(separator: ", "))); CREATE TABLE long (value text)"
    )
    try connection.copy(into: "wide", columns: columns) { rows in
      for row in 0..<50 {
        for column in 0..<1000 { rows.field(row * column) }
        try rows.endRow()
      }
    }
    #expect(try connection.query("SELECT sum(c1000) FROM wide")[0].value(0, Int.self) == 999 * 1225)
    let text = String(repeating: "tab\tor\\slash ", count: 400_000)
    try connection.copy(into: "long", columns: ["value"]) { rows in
      rows.field(text)
      try rows.endRow()
    }
    #expect(try connection.query("SELECT value = $1 FROM long", [.text(text)])[0].value(0, Bool.self))
  }

  @Test func `A million rows load in the memory of one buffer`() async throws {
    try connection.execute("CREATE UNLOGGED TABLE million (n int, value text)")
    await #expect(processExitsWith: .success) { [url = database.url as String] in
      let connection = try Connection(to: ConnectionTarget(url))
      let value = Array("9,133 rows by 109 localities".utf8)
      func load(_ count: Int) throws -> Int {
        try connection.copy(into: "million", columns: ["n", "value"]) { rows in
          for number in 0..<count {
            rows.field(number)
            rows.field(value.span)
            try rows.endRow()
          }
        }
      }
      _ = try load(10_000)
      let before = Machine.peakMemory
      #expect(try load(1_000_000) == 1_000_000)
      #expect(Machine.peakMemory - before < 4 << 20)
    }
    #expect(try count("million") == 1_010_000)
  }

  @Test func `A row that is dropped leaves the rows around it whole`() throws {
    try connection.execute("CREATE TABLE kept (a int, b int)")
    try connection.copy(into: "kept", columns: ["a", "b"]) { rows in
      for number in 0..<10 {
        let mark = rows.mark
        rows.field(number)
        if number.isMultiple(of: 3) {
          rows.dropRows(from: mark)
          continue
        }
        rows.field(number * 2)
        try rows.endRow()
      }
      #expect(rows.rows == 6)
    }
    #expect(
      try connection.query("SELECT string_agg(a || '=' || b, ' ' ORDER BY a) FROM kept")[0][0]
        == "1=2 2=4 4=8 5=10 7=14 8=16")
  }

  @Test func `A throw inside leaves no row, and the connection ready`() throws {
    try connection.execute("CREATE TABLE row (n int)")
    #expect(throws: Refusal.self) {
      try connection.copy(into: "row", columns: ["n"]) { rows in
        try fill(&rows, 0..<100_000)
        throw Refusal()
      }
    }
    #expect(try count("row") == 0)
    #expect(connection.isUsable)
  }

  @Test(arguments: [1, 77, 99_999])
  func `A bad value is the server's error with the number of its row, and the connection is ready`(_ bad: Int)
    throws
  {
    try connection.execute("CREATE TABLE row (n int)")
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.copy(into: "row", columns: ["n"]) { rows in
        for number in 1...100_000 {
          if number == bad { rows.field("many") } else { rows.field(number) }
          try rows.endRow()
        }
      }
    }
    guard case .server(let refusal) = try #require(error) else { throw try #require(error) }
    #expect(refusal.sqlState == "22P02")
    #expect(refusal.message == "invalid input syntax for type integer: \"many\"")
    #expect(refusal.context == "COPY row, line \(bad), column n: \"many\"")
    // What a table's rows hold is not for logs.
    #expect(!"\(refusal)".contains("COPY row"))
    #expect(try count("row") == 0)
    #expect(connection.isUsable)
  }

  @Test func `In a transaction a failed COPY rolls back the transaction's work`() throws {
    try connection.execute("CREATE TABLE row (n int)")
    #expect(throws: PostgreSQLError.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO row VALUES (1)")
        try connection.copy(into: "row", columns: ["n"]) { rows in
          rows.field("x")
          try rows.endRow()
        }
      }
    }
    #expect(try count("row") == 0)
    #expect(!connection.isInTransaction)
  }

  @Test func `A table that is not there is refused before any row`() throws {
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.copy(into: "public.nowhere", columns: ["n"]) { _ in
        Issue.record("the rows were asked for")
      }
    }
    #expect(error?.sqlState == "42P01")
    #expect(connection.isUsable)
  }

  @Test func `A server that goes away in mid-COPY is reported, without hanging`() throws {
    try connection.execute("CREATE TABLE row (n int)")
    let other = try database.connect()
    let backend = connection.backendID
    let error = #expect(throws: PostgreSQLError.self) {
      try connection.copy(into: "row", columns: ["n"]) { rows in
        for number in 0..<2_000_000 {
          if number == 50_000 { try other.query("SELECT pg_terminate_backend($1)", [.integer(backend)]) }
          rows.field(number)
          try rows.endRow()
        }
      }
    }
    guard case .connectionLost = try #require(error) else { throw try #require(error) }
    #expect(try database.value("SELECT count(*) FROM row") == "0")
  }

  @Test func `Rows loaded frozen are seen by all at once`() throws {
    try connection.transaction {
      try connection.execute("CREATE TABLE frozen (n int)")
      try connection.copy(into: "frozen", columns: ["n"], freeze: true) { rows in
        try fill(&rows, 0..<1000)
      }
    }
    #expect(try database.value("SELECT count(*) FROM frozen") == "1000")
  }

  @Test func `No rows are no error`() throws {
    try connection.execute("CREATE TABLE row (n int)")
    #expect(try connection.copy(into: "row", columns: ["n"]) { _ in } == 0)
  }
}
