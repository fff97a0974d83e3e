import Host

/// A tmpfs of a few megabytes, unmounted when it is let go.
public final class SmallDevice: Sendable {
  private let path: String

  /// Mounts one over a folder, which is made where it is not there.
  public init(at path: String, megabytes: Int) throws {
    try Files.makeDirectory(path)
    let mounted = try Subprocess(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path]).run()
    guard mounted.status == 0 else { throw Refused(output: mounted.output) }
    self.path = path
  }

  deinit { unmount() }

  /// Has nobody write to it any more, root included, or everybody again.
  public func set(readOnly isReadOnly: Bool) throws {
    let mode = isReadOnly ? "ro" : "rw"
    let mounted = try Subprocess(["mount", "-o", "remount,\(mode)", path]).run()
    guard mounted.status == 0 else { throw Refused(output: mounted.output) }
  }

  /// Fills it but for some megabytes; gives the file to remove.
  public func fill(leaving megabytes: Int) throws -> String {
    let ballast = path + "/ballast"
    let size = (Files.freeSpace(at: path) ?? 0) - megabytes << 20
    let filled = try Subprocess(["fallocate", "-l", "\(size)", ballast]).run()
    guard filled.status == 0 else { throw Refused(output: filled.output) }
    return ballast
  }

  /// Unmounts it before that.
  func unmount() { _ = try? Subprocess(["umount", "-l", path]).run() }

  private struct Refused: Error { let output: String }

  /// Whether this process may mount one.
  public static let isPossible: Bool = {
    guard Machine.isRoot, let scratch = try? Scratch() else { return false }
    return (try? SmallDevice(at: scratch.path, megabytes: 1)) != nil
  }()
}
