import Glibc

/// Text on its way to standard output, or to a file that appears under its name only when it is whole.
public final class OutputFile {
  private let path: String?
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var isClosed = false

  /// A file to be written anew; nil is standard output.
  public init(_ path: String?) throws(FileError) {
    self.path = path
    guard let path else {
      descriptor = STDOUT_FILENO
      return
    }
    descriptor = open(OutputFile.partial(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "write") }
  }

  deinit {
    guard let path, !isClosed, descriptor >= 0 else { return }
    Glibc.close(descriptor)
    unlink(OutputFile.partial(path))
  }

  /// Adds text.
  public func write(_ text: String) throws(FileError) {
    pending.append(contentsOf: text.utf8)
    if pending.count > 1 << 16 { try flush() }
  }

  /// Writes what is left and gives the file its name.
  public func close() throws(FileError) {
    try flush()
    guard let path else { return }
    isClosed = true
    Glibc.close(descriptor)
    guard rename(OutputFile.partial(path), path) == 0 else {
      throw FileError(path: path, code: errno, action: "write")
    }
  }

  private func flush() throws(FileError) {
    let code = pending.withUnsafeBufferPointer { Output.write($0, to: descriptor) }
    if code == EPIPE && path == nil { Output.endByPipe() }
    if code != 0 { throw FileError(path: path ?? "standard output", code: code, action: "write") }
    pending.removeAll(keepingCapacity: true)
  }

  private static func partial(_ path: String) -> String { path + ".partial" }
}
