import Foundation
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// Views of what depends on the day: the day turns in the project's time zone.
@Suite("A stored view that depends on the day")
struct DateDependentViewTests {
  private func make(zone: String = "UTC") throws -> StoredViews {
    var views = try StoredViews(
      """
      CREATE TABLE app.birth (id int PRIMARY KEY, due date NOT NULL);
      INSERT INTO app.birth SELECT n, date '2026-01-01' + n FROM generate_series(1, 30) n;
      CREATE FUNCTION app.week(due date) RETURNS int STABLE LANGUAGE sql AS 'SELECT (rivulet.today() - due) / 7';
      """)
    try views.connection.query(
      "UPDATE rivulet.setting SET value = $1 WHERE name = 'time_zone'", [.text(zone)])
    try views.define(
      "mart.week", by: "id", of: "app.birth",
      "SELECT k.id, (rivulet.today() - b.due) / 7 AS week, rivulet.today() AS day FROM {keys} k JOIN app.birth b USING (id)"
    )
    try views.define(
      "mart.day", fullBy: "day", "SELECT rivulet.today() AS day, count(*) AS n FROM app.birth GROUP BY 1")
    // One that depends on it through a live view, and one that does not.
    try views.define(
      "mart.live", "strategy: live\ndescription: The day", "SELECT rivulet.today() AS day, id FROM app.birth")
    try views.define(
      "mart.a_through", fullBy: "day", "SELECT day, count(*) AS n FROM mart.live GROUP BY 1")
    try views.define(
      "mart.still", fullBy: "id", "SELECT id, due FROM app.birth")
    return views
  }

  private static let dependent = ["mart.a_through", "mart.day", "mart.week"]

  @Test("is computed for the date that is asked for, and again for another")
  func named() throws {
    let views = try make()
    _ = try views.engine.synchronise(on: views.connection)
    for date in ["2026-06-01", "2026-06-02", "2024-02-29"] {
      let refreshed = try views.refresh(RefreshRequest(date: date))
      #expect(refreshed.filter { $0.outcome == .refreshed && Self.dependent.contains($0.view) }.count == 3)
      for view in ["mart.week", "mart.day", "mart.a_through"] {
        #expect(try views.value("SELECT string_agg(DISTINCT day::text, ' ') FROM \(view)") == date, "\(view)")
      }
      // The same date once more, and nothing is to be done.
      #expect(try views.refresh(RefreshRequest(date: date)).allSatisfy { $0.outcome == .unchanged })
    }
    #expect(
      try views.refresh(RefreshRequest(date: "2026-06-03")).filter { $0.outcome == .refreshed }.map(\.view)
        .sorted()
        == Self.dependent)
    // What is left to the day is today's.
    try views.refresh()
    #expect(
      try views.value("SELECT min(day) = rivulet.today() AND max(day) = rivulet.today() FROM mart.week")
        == "t")
    // And of the session nothing is left that would change the day.
    #expect(try views.value("SELECT coalesce(current_setting('rivulet.on_date', true), '')") == "")
  }

  @Test("is computed for one date in all its groups where a change comes with the new day")
  func mixed() throws {
    let views = try make()
    _ = try views.engine.synchronise(on: views.connection)
    try views.refresh(RefreshRequest(date: "2026-06-01"))
    try views.connection.execute("UPDATE app.birth SET due = due + 1 WHERE id = 3")
    try views.refresh(RefreshRequest(date: "2026-06-02"))
    #expect(try views.value("SELECT string_agg(DISTINCT day::text, ' ') FROM mart.week") == "2026-06-02")
    try views.connection.execute("UPDATE app.birth SET due = due + 1 WHERE id = 3")
    #expect(try views.refresh(of: "mart.week", RefreshRequest(date: "2026-06-02")).kind == .incremental)
  }

  /// Two places of which one is always a day ahead of the other.
  @Test("turns at midnight of the project's time zone, not of the session's or the server's")
  func zones() throws {
    let views = try make(zone: "Pacific/Kiritimati")
    try views.connection.execute("SET timezone = 'Pacific/Niue'")
    try views.make()
    let ahead = "(now() AT TIME ZONE 'Pacific/Kiritimati')::date"
    #expect(try views.value("SELECT min(day) = \(ahead) AND max(day) = \(ahead) FROM mart.week") == "t")
    // A clock cannot be turned, a zone can: there the day before has not ended.
    try views.connection.execute("UPDATE rivulet.setting SET value = 'Pacific/Niue' WHERE name = 'time_zone'")
    let refreshed = try views.refresh()
    // What does not depend on the day may depend on the zone.
    let expected = Set(Self.dependent + ["mart.still"])
    #expect(Set(refreshed.filter { $0.outcome == .refreshed }.map(\.view)) == expected)
    let behind = "(now() AT TIME ZONE 'Pacific/Niue')::date"
    #expect(try views.value("SELECT min(day) = \(behind) AND max(day) = \(behind) FROM mart.week") == "t")
  }

  @Test("refuses what is no date, and stays as it was")
  func invalid() throws {
    let views = try make()
    try views.make()
    for date in ["2026-02-30", "tomorrow'; DROP TABLE mart.day; --", "soon"] {
      let refreshed = try? views.engine.refresh(RefreshRequest(date: date), on: views.connection)
      #expect(refreshed?.contains { $0.outcome == .refreshed } != true, "\(date)")
    }
    #expect(try views.value("SELECT min(day) = rivulet.today() FROM mart.day") == "t")
  }
}
