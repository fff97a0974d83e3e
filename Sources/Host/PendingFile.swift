import Glibc

/// A file that is written beside its place and takes it only when it is whole, so that nobody ever finds half
/// of it. What is no regular file (a device, a pipe) is written to directly, and a link leads to the file
/// behind it.
public final class PendingFile {
  /// Where the bytes go; they can be read back where it is a regular file.
  public let descriptor: Int32
  private let path: String
  /// The name that it has until it is whole; nil where it is written to directly.
  private var temporary: String?

  /// Begins a file.
  /// - Parameters:
  ///   - path: where it is to be in the end.
  ///   - mode: who may do what with it; nil leaves a file that is there as it is.
  ///   - newMode: the same of a file that is not there yet, where `mode` is nil; less what the user's mask takes.
  /// - Throws: ``FileError`` where the file cannot be made.
  public init(_ path: String, mode: UInt32? = nil, newMode: UInt32 = 0o666) throws(FileError) {
    self.path = Path.resolved(path) ?? path
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists && status.st_mode & S_IFMT != S_IFREG {
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      let name = self.path + ".\(getpid())-\(UInt32.random(in: .min ... .max)).partial"
      let isKept = mode == nil && exists
      let mode = mode ?? (exists ? status.st_mode & 0o777 : newMode)
      descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      // The mask is for what is new.
      if isKept, descriptor >= 0 { fchmod(descriptor, mode) }
      temporary = name
    }
    guard descriptor >= 0 else {
      let code = errno
      temporary = nil
      throw FileError(path: path, code: code, action: "write")
    }
  }

  deinit {
    guard let temporary else { return }
    close(descriptor)
    unlink(temporary)
  }

  /// Closes the file and gives it its name.
  /// - Throws: ``FileError`` of the system call that failed.
  public func finish() throws(FileError) {
    let name = temporary
    temporary = nil
    guard close(descriptor) == 0 else { throw failure(name) }
    if let name, rename(name, path) != 0 { throw failure(name) }
  }

  private func failure(_ name: String?) -> FileError {
    let error = FileError(path: path, code: errno, action: "write")
    if let name { unlink(name) }
    return error
  }
}
