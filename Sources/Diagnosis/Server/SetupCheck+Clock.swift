import Host
import PostgreSQL

extension SetupCheck {
  /// Whether this machine and the server have the same time.
  static let clock = SetupCheck(
    "clock", .server,
    because: "files wait by this machine's clock, and releases become current by the server's"
  ) { subject in
    try subject.reading { connection in
      let before = Machine.secondsSince1970
      let there: Double = try connection.query("SELECT extract(epoch FROM clock_timestamp())::float8")[0]
        .value(0)
      let after = Machine.secondsSince1970
      // What the answer took is nobody's difference.
      return [clock(ahead: there < before ? there - before : max(0, there - after))]
    }
  }

  /// What it means that the server's clock is some seconds ahead of ours.
  static func clock(ahead seconds: Double) -> Finding {
    let size = abs(seconds)
    guard size >= 5 else { return .ok("the server's clock and this machine's differ by less than 5 s") }
    let found = "the server's clock is \(Int(size)) s \(seconds > 0 ? "ahead of" : "behind") this machine's"
    return size < 60
      ? .note(found, fix: "timedatectl set-ntp true") : .warning(found, fix: "timedatectl set-ntp true")
  }
}
