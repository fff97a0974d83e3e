import Glibc

/// Text on its way to standard output, or to a file that appears under its name only when it is whole.
public final class OutputFile {
  /// The mode of a file that nobody but its owner reads.
  public static let ownersOnly: UInt32 = 0o600

  private let file: PendingFile?
  private let name: String
  private var pending: [UInt8] = []
  /// What is on its way to a user who reads it in a pager, where it is longer than the terminal.
  private var paged: (pager: Pager, descriptor: Int32, count: Pager.Count)?

  /// A file to be written.
  /// - Parameters:
  ///   - path: the file; nil is standard output.
  ///   - mode: who may do what with it, as in ``PendingFile/init(_:mode:newMode:)``.
  ///   - newMode: the same of a file that is not there yet.
  ///   - pager: shows what is longer than the terminal, when it is whole; nil where nothing is paged.
  /// - Throws: ``FileError`` where the file cannot be made.
  public init(
    _ path: String?, mode: UInt32? = nil, newMode: UInt32 = 0o666, pager: Pager? = nil
  ) throws(FileError) {
    if let path { file = try PendingFile(path, mode: mode, newMode: newMode) } else { file = nil }
    name = path ?? Output.name
    if path == nil, let pager { paged = (pager, try UnnamedFile.open(), Pager.Count()) }
  }

  deinit { if let paged { Glibc.close(paged.descriptor) } }

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
    try page()
  }

  private func page() throws(FileError) {
    guard let (pager, descriptor, count) = paged else { return }
    lseek(descriptor, 0, SEEK_SET)
    // The last line is the prompt's.
    if count.lines >= pager.size.rows, pager.show(descriptor) { return }
    lseek(descriptor, 0, SEEK_SET)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let size = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if size <= 0 { return }
      let code = chunk[..<size].withUnsafeBytes { Output.write($0, to: STDOUT_FILENO) }
      if code != 0 { throw FileError(path: name, code: code, action: "write") }
    }
  }

  private func flush() throws(FileError) {
    if let pager = paged?.pager { paged?.count.add(pending, width: pager.size.columns) }
    let code = pending.withUnsafeBytes {
      Output.write($0, to: file?.descriptor ?? paged?.descriptor ?? STDOUT_FILENO)
    }
    if code == EPIPE && file == nil && paged == nil { Output.endByPipe() }
    if code != 0 { throw FileError(path: name, code: code, action: "write") }
    pending.removeAll(keepingCapacity: true)
  }
}
