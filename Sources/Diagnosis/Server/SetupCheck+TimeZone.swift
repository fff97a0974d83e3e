import Definitions
import PostgreSQL

extension SetupCheck {
  /// Whether project and database mean the same day.
  static let timeZone = SetupCheck(
    "time-zone", .server, because: "a release is current from midnight in the project's time zone"
  ) { subject in
    let zone = try subject.project().timeZone
    let isKnown = try subject.reading { connection in
      try connection.query(
        "SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = $1)", [.text(zone)])[0].value(0, Bool.self)
    }
    guard isKnown else {
      return [
        .error(
          "the server knows no time zone '\(zone)'", fix: "SELECT name FROM pg_timezone_names ORDER BY 1;")
      ]
    }
    return try subject.readingLedger { connection in
      let stored = try connection.query("SELECT value FROM rivulet.setting WHERE name = 'time_zone'").first?[
        0]
      guard let stored else {
        return [.warning("the database has no time zone, and takes UTC", fix: "rivulet migrate up")]
      }
      guard stored == zone else {
        return [
          .warning("rivulet.yaml has \(zone), the database \(stored)", fix: "rivulet migrate up")
        ]
      }
      return [.ok("\(zone), in rivulet.yaml and in the database")]
    }
  }
}
