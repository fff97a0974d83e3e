import Foundation
import Host

/// What the long tests have done to the program and what was lost by it, for the table of
/// `Documentation/Reliability.md`, which `.ci/reliability` makes of it.
public enum Reliability {
  /// What is done to a program or to what it needs; as the table has it.
  public enum Fault: String, Sendable {
    case kill = "`kill -9` of the program"
    case signal = "SIGINT or SIGTERM"
    case crash = "immediate stop of the server"
    case failover = "fail-over to a standby"
    case connection = "connection that is lost"
    case commit = "COMMIT that is lost, or its answer"
    case full = "device that is full"
    case readOnly = "folder that is read-only"
    case limit = "limit of the shell"
    case output = "standard output that takes nothing"
    case clock = "clock that goes back by an hour"
    case environment = "environment that is empty"
  }

  /// Adds a line to the file that `RIVULET_RELIABILITY` names; does nothing without one. To be called when it
  /// was looked at what is left.
  ///
  /// - Parameters:
  ///   - fault: what was done.
  ///   - place: what was at work, and at which moments.
  ///   - times: how often the fault was there while it was at work, as counted.
  ///   - lost: tables, views, rows of the ledger and leftovers that were not as after an undisturbed run, as
  ///     counted.
  public static func record(_ fault: Fault, _ place: String, times: Int = 1, lost: Int) {
    guard let path = ProcessInfo.processInfo.environment["RIVULET_RELIABILITY"] else { return }
    let line = "\(fault.rawValue)\t\(place)\t\(times)\t\(lost)\n"
    // One write to the end of the file: others write at the same time.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = Array(line.utf8).withUnsafeBytes { Output.write($0, to: descriptor) }
  }
}
