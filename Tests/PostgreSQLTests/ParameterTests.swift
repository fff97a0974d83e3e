import PostgreSQL
import TestSupport
import Testing

@Suite struct ParameterTests {
  let connection: Connection

  init() throws { connection = try TestServer.shared.makeDatabase().connect() }

  private func round(_ parameter: Parameter, as type: String) throws -> Row {
    try connection.query("SELECT $1::\(type)", [parameter])[0]
  }

  @Test func `Values of every kind come back as they were sent`() throws {
    for number in [0, -1, .max, .min] {
      #expect(try round(.integer(number), as: "bigint").value(0, Int.self) == number)
    }
    for number in [0.1, -2.5e-300, .infinity, 1.7976931348623157e308] {
      #expect(try round(.double(number), as: "double precision").value(0, Double.self) == number)
    }
    for truth in [true, false] {
      #expect(try round(.boolean(truth), as: "boolean").value(0, Bool.self) == truth)
    }
    for text in ["", " ", "O'Brien \"x\" \\ {,} NULL", "Größe 🩺\n\t\r"] {
      #expect(try round(.text(text), as: "text").value(0, String.self) == text)
    }
  }

  @Test func `All bytes survive as bytea`() throws {
    let bytes = (0...255).map { UInt8($0) } + [0, 0]
    let row = try round(.bytes(bytes), as: "bytea")
    #expect(try row.value(0, [UInt8].self) == bytes)
    #expect(
      try connection.query("SELECT octet_length($1::bytea)", [.bytes(bytes)])[0].value(0, Int.self) == 258)
    #expect(try round(.bytes([]), as: "bytea").value(0, [UInt8].self) == [])
  }

  @Test func `Arrays of odd texts survive`() throws {
    let texts = ["", "NULL", "null", "a,b", "{x}", "say \"so\"", "back\\slash", " blank ", "é", "line\nend"]
    #expect(try round(.textArray(texts), as: "text[]").value(0, [String].self) == texts)
    #expect(try round(.textArray([]), as: "text[]").value(0, [String].self) == [])
    let numbers = try connection.query("SELECT array[1, -20, 300]")
    #expect(try numbers[0].value(0, [Int].self) == [1, -20, 300])
    let gaps = try connection.query("SELECT array['a', NULL, 'NULL']")
    #expect(throws: PostgreSQLError.self) { try gaps[0].value(0, [String].self) }
    let nested = try connection.query("SELECT array[array[1], array[2]]")
    #expect(throws: PostgreSQLError.self) { try nested[0].value(0, [Int].self) }
  }

  @Test func `NULL is distinguished from the empty text, both ways`() throws {
    let row = try connection.query("SELECT $1::text, $2::text, $1 IS NULL", [nil, ""])[0]
    #expect(try row.optional(0, String.self) == nil)
    #expect(try row.value(1, String.self) == "")
    #expect(try row.value(2, Bool.self))
    #expect(throws: PostgreSQLError.self) { try row.value(0, String.self) }
  }

  @Test func `A value of another type names its column`() throws {
    let row = try connection.query("SELECT 'many' AS rows")[0]
    let error = #expect(throws: PostgreSQLError.self) { try row.value(0, Int.self) }
    #expect("\(try #require(error))" == "column 'rows' does not hold a Int")
    #expect(row["rows"] == "many")
    #expect(row["Rows"] == nil)
  }

  @Test func `Text with a NUL is refused rather than cut off`() throws {
    #expect(throws: PostgreSQLError.self) { try connection.query("SELECT $1", ["before\0after"]) }
    #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1\0; SELECT 2") }
    #expect(throws: PostgreSQLError.self) { try connection.query("SELECT $1::text[]", [.textArray(["a\0"])]) }
    #expect(try connection.query("SELECT 1")[0][0] == "1")
  }

  @Test func `A result has its columns, types and rows`() throws {
    let result = try connection.query("SELECT n, n * 1.5 AS half FROM generate_series(1, 3) n")
    #expect(result.columns == ["n", "half"])
    #expect(result.columnTypes == [23, 1700])
    #expect(result.rows.map { $0[1] } == ["1.5", "3.0", "4.5"])
    try connection.execute("CREATE TEMP TABLE t AS SELECT generate_series(1, 7) AS n")
    #expect(try connection.query("DELETE FROM t WHERE n > $1", [2]).affectedRows == 5)
  }
}
