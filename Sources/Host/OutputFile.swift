import Glibc

/// Text on its way to standard output, or to a file that appears under its name only when it is whole.
public final class OutputFile {
  private let file: PendingFile?
  private let name: String
  private var pending: [UInt8] = []

  /// A file to be written.
  /// - Parameters:
  ///   - path: the file; nil is standard output.
  ///   - mode: who may do what with it, as in ``PendingFile/init(_:mode:)``.
  /// - Throws: ``FileError`` where the file cannot be made.
  public init(_ path: String?, mode: UInt32? = nil) throws(FileError) {
    if let path { file = try PendingFile(path, mode: mode) } else { file = nil }
    name = path ?? "standard output"
  }

  /// Adds text.
  /// - Throws: ``FileError`` of the system call that failed.
  public func write(_ text: String) throws(FileError) { try write(text.utf8) }

  /// Adds bytes.
  /// - Throws: ``FileError`` of the system call that failed.
  public func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
    pending.append(contentsOf: bytes)
    if pending.count > 1 << 16 { try flush() }
  }

  /// Writes what is left and gives the file its name.
  /// - Throws: ``FileError`` of the system call that failed.
  public func close() throws(FileError) {
    try flush()
    try file?.finish()
  }

  private func flush() throws(FileError) {
    let code = pending.withUnsafeBytes { Output.write($0, to: file?.descriptor ?? STDOUT_FILENO) }
    if code == EPIPE && file == nil { Output.endByPipe() }
    if code != 0 { throw FileError(path: name, code: code, action: "write") }
    pending.removeAll(keepingCapacity: true)
  }
}
