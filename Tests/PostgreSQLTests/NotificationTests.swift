import Foundation
import Host
import PostgreSQL
import TestSupport
import Testing

@Suite("Notifications")
struct NotificationTests {
  private let database: TestDatabase
  private let connection: Connection

  init() throws {
    database = try TestServer.shared.makeDatabase()
    connection = try database.connect()
    try connection.listen(to: "Some words")
  }

  private func send(_ channel: String = "Some words") throws {
    try database.connect().execute("NOTIFY \(Quote.identifier(channel))")
  }

  @Test("are waited for as long as it takes, and wait themselves for who asks later")
  func heard() throws {
    let sender = Background { [database] in
      try #require(
        try database.finds("SELECT FROM pg_stat_activity WHERE query = 'SELECT ''waits''' AND state = 'idle'")
      )
      try database.connect().execute("NOTIFY \"Some words\"")
    }
    try connection.execute("SELECT 'waits'")
    #expect(try connection.waitForNotification(seconds: 60))
    try sender.wait()
    try send()
    try send()
    // They come with the answer to something else.
    try connection.execute("SELECT 1")
    #expect(try connection.waitForNotification(seconds: 60))
    #expect(try !connection.waitForNotification(seconds: 0))
  }

  @Test("of other channels are not, nor those that were discarded")
  func others() throws {
    try send("other")
    try send()
    try connection.execute("SELECT 1")
    try connection.discardNotifications()
    #expect(try !connection.waitForNotification(seconds: 0.1))
  }

  @Test("are waited for no longer than the connection is there")
  func lost() throws {
    let end = Background { [database, process = connection.process] in
      try database.connect().execute("SELECT pg_terminate_backend(\(process), 5000)")
    }
    let error = #expect(throws: PostgreSQLError.self) { try connection.waitForNotification(seconds: 60) }
    #expect(error?.isTransient == true)
    try end.wait()
  }
}
