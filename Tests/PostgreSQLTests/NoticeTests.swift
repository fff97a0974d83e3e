import PostgreSQL
import TestSupport
import Testing

@Suite struct NoticeTests {
  @Test func `Notices come with severity, SQLSTATE and text, in order, and stop with the handler`() throws {
    let connection = try TestServer.shared.makeDatabase().connect()
    var heard: [String] = []
    connection.onNotice { heard.append("\($0.severity) \($0.sqlState) \($0.message)") }
    try connection.execute(
      "DO $$ BEGIN RAISE NOTICE 'read %', 3; RAISE WARNING 'odd' USING ERRCODE = '01RV1'; END $$")
    #expect(heard == ["NOTICE 00000 read 3", "WARNING 01RV1 odd"])
    connection.onNotice { _ in }
    try connection.execute("DROP TABLE IF EXISTS nowhere")
    #expect(heard.count == 2)
  }
}
