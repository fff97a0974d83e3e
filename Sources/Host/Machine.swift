import Glibc

/// The process's environment, user, clock and terminal.
public enum Machine {
  /// A variable of the environment; an empty one counts as absent.
  public static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The variables of the environment whose names begin so, by the rest of their names.
  public static func environment(prefix: String) -> [String: String] {
    let found = Subprocess.ownEnvironment.filter { $0.name.hasPrefix(prefix) && $0.name != prefix }
    return Dictionary(
      found.map { (String($0.name.dropFirst(prefix.count)), String($0.entry.dropFirst($0.name.count + 1))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The name of this machine in its network; empty where it has none.
  public static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The number of this process.
  public static var process: Int32 { getpid() }

  /// The effective user is root.
  public static var isRoot: Bool { geteuid() == 0 }

  /// The number of the effective user.
  public static var userID: UInt32 { geteuid() }

  /// The number of the effective group.
  public static var groupID: UInt32 { getegid() }

  /// The home folder of this user.
  public static var home: String? {
    if let home = environment("HOME") { return home }
    guard let entry = getpwuid(geteuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }

  /// The user and group numbers of a named user; nil when there is no such user.
  public static func user(named name: String) -> (user: UInt32, group: UInt32)? {
    guard let entry = getpwnam(name) else { return nil }
    return (entry.pointee.pw_uid, entry.pointee.pw_gid)
  }

  /// Somebody sits at a terminal: standard input or standard error is one.
  public static var isInteractive: Bool { Terminal.has(.input) || Terminal.has(.errors) }

  /// Seconds of a clock that never goes back.
  public static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time now, in seconds since 1970.
  public static var secondsSince1970: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time now in UTC, ISO 8601 to the second.
  public static var time: String { "\(time(of: Glibc.time(nil)))Z" }

  /// The time now in UTC, RFC 3339 to the millisecond.
  public static var preciseTime: String { preciseTime(ago: 0) }

  /// The time some seconds ago in UTC, RFC 3339 to the millisecond.
  public static func preciseTime(ago seconds: Double) -> String {
    let moment = Int(((unixTime - seconds) * 1000).rounded())
    let thousandths = String(moment % 1000)
    return time(of: moment / 1000) + "." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
      + "Z"
  }

  /// The time now in UTC as the head of a mail has it, RFC 5322.
  public static var mailTime: String {
    var now = Glibc.time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let clock = time(of: now).suffix(8)
    return
      "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
      + "\(clock) +0000"
  }

  /// The seconds since 1970 now, as of a clock that may be set.
  public static var unixTime: Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// A time in UTC to the second, without its zone.
  private static func time(of seconds: time_t) -> String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(1900 + parts.tm_year)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))T"
      + "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
  }

  /// Waits.
  public static func sleep(seconds: Double) {
    usleep(UInt32(max(0, seconds) * 1e6))
  }

  /// The largest resident memory of this program so far, in bytes; 0 where the system does not say.
  ///
  /// What `getrusage` gives is also that of the process which it was made from, before it became this program.
  public static var peakMemory: Int {
    let status = (try? Files.readText("/proc/self/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  /// The path of the running program.
  public static var program: String { Path.resolved("/proc/self/exe") ?? CommandLine.arguments[0] }
}
