import PostgreSQL
import Reporting

extension SetupCheck {
  /// Whether numbers of transactions run out.
  static let wraparound = SetupCheck(
    "wraparound", .tables,
    because: "at 2,147 million transactions without a vacuum the server takes no more writes"
  ) { subject in
    try subject.reading { connection in
      let age: Int = try connection.query(
        "SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()")[0].value(0)
      return [wraparound(age: age)]
    }
  }

  /// What the age of the oldest transaction means; the server itself vacuums from 200 million on.
  static func wraparound(age: Int) -> Finding {
    let found =
      "the oldest transaction that is not frozen is \((age / 1_000_000).grouped) million transactions old"
    let fix = "VACUUM (FREEZE);"
    if age > 1_500_000_000 { return .error(found, fix: fix) }
    return age > 400_000_000 ? .warning(found, fix: fix) : .ok(found)
  }
}
