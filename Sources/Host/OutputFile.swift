import Glibc

/// Text on its way to standard output, or to a file that appears under its name only when it is whole.
public final class OutputFile {
  private let file: PendingFile?
  private let name: String
  private var pending: [UInt8] = []

  /// A file to be written anew; nil is standard output.
  public init(_ path: String?) throws(FileError) {
    if let path { file = try PendingFile(path) } else { file = nil }
    name = path ?? "standard output"
  }

  /// Adds text.
  public func write(_ text: String) throws(FileError) {
    pending.append(contentsOf: text.utf8)
    if pending.count > 1 << 16 { try flush() }
  }

  /// Writes what is left and gives the file its name.
  public func close() throws(FileError) {
    try flush()
    try file?.finish()
  }

  private func flush() throws(FileError) {
    let code = pending.withUnsafeBufferPointer { Output.write($0, to: file?.descriptor ?? STDOUT_FILENO) }
    if code == EPIPE && file == nil { Output.endByPipe() }
    if code != 0 { throw FileError(path: name, code: code, action: "write") }
    pending.removeAll(keepingCapacity: true)
  }
}
