import Foundation
import Host

/// Where the servers of tests lie, each in a folder of its own, whose name begins with what it is for and has
/// the number of its process.
///
/// It is `/tmp`, or what `RIVULET_TEST_SERVERS` names: a folder in memory for suites that make and drop
/// databases all the time, of some hundred files each. A file system on a disk takes four times as long.
enum ServerPlace {
  private static let usual = "/tmp"
  private static let inMemory = "/dev/shm"

  private static let place = ProcessInfo.processInfo.environment["RIVULET_TEST_SERVERS"] ?? usual

  /// The path of a folder there.
  static func path(_ name: String) -> String { Path.join(place, name) }

  /// The folders of servers that any process has left or has at work, wherever it had them.
  static func folders(of kind: String) -> [String] {
    Set([usual, inMemory, place]).sorted().flatMap { place in
      ((try? Files.list(place)) ?? []).filter { $0.hasPrefix(kind) }.map { Path.join(place, $0) }
    }
  }

  /// Removes a folder while nobody waits, in a session of its own: it may be a million files.
  static func remove(_ folder: String) {
    _ = try? Subprocess(["sh", "-c", "nice setsid rm -rf -- \"$1\" >/dev/null 2>&1 &", "sh", folder]).run()
  }
}
