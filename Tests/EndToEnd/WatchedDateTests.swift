import PostgreSQL
import TestSupport
import Testing

/// What a program that watches views does although nothing is written: it takes a minute to see.
@Suite("A program that sleeps while it watches")
struct WatchedDateTests {
  @Test("shows the next day soon after it has begun, and says once a minute what it has done")
  func nextDay() throws {
    let watched = try Watched()
    try watched.define("own.day", OwnProject.view(by: "", "SELECT rivulet.today() AS day"))
    try watched.make()
    let connection = try watched.database.connect()
    let program = try watched.watch()
    try watched.expectExact()
    try watched.awaitSleep()
    // The day turns, which no session hears of.
    let shown = try #require(try connection.execute("SELECT day FROM own.day")[0][0])
    try connection.execute(
      """
      ALTER TABLE rivulet.setting DISABLE TRIGGER follow_time_zone;
      UPDATE rivulet.setting SET value = CASE WHEN (now() AT TIME ZONE 'Etc/GMT-14')::date > date '\(shown)'
        THEN 'Etc/GMT-14' ELSE 'Etc/GMT+12' END WHERE name = 'time_zone'
      """)
    let isNext = "SELECT FROM own.day WHERE day = rivulet.today() AND day <> date '\(shown)'"
    #expect(try connection.execute(isNext).count == 0)
    let said = try (0..<2).contains { _ in try program.says("5 views refreshed 5 times, ") }
    #expect(said)
    #expect(try connection.execute(isNext).count == 1)
    let outcome = try watched.end(program)
    #expect(outcome.output.contains(": 5 views refreshed 5 times, "), "\(outcome.output)")
  }
}
