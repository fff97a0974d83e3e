import Glibc

/// What went wrong with a file or folder, with the path and the system's own reason.
public struct FileError: Error, CustomStringConvertible, Sendable {
  /// The path as it was given.
  public let path: String
  /// The `errno` of the call that failed.
  public let code: Int32
  /// What was being done: `read`, `list`, `write`, `make`, `remove`.
  public let action: String

  /// A failure of a system call.
  public init(path: String, code: Int32, action: String) {
    self.path = path
    self.code = code
    self.action = action
  }

  /// The path is not there at all.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Nothing is there that could be read.
  public static func missing(_ path: String) -> FileError {
    FileError(path: path, code: ENOENT, action: "read")
  }

  /// A sentence for the user.
  public var description: String {
    let reason = code == FileError.noFile ? "it is a pipe or a device and no file" : systemMessage(code)
    return "cannot \(action) '\(path)': \(reason)"
  }

  /// The code of what would be waited for, or never ends, where a file is asked for.
  static let noFile = ESPIPE
}

/// The system's text for an `errno`.
public func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Files and folders.
public enum Files {
  /// The whole content of a file, or no more than its first bytes.
  ///
  /// `takesPipes`: a pipe is waited for, and a device read; else they are refused.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func read(
    _ path: String, atMost most: Int = .max, takesPipes: Bool = false
  ) throws(FileError) -> [UInt8] {
    // Opening a pipe would wait for somebody who writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (takesPipes ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "read") }
    defer { close(descriptor) }
    var status = stat()
    let hasStatus = fstat(descriptor, &status) == 0
    if !takesPipes, hasStatus, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw FileError(path: path, code: FileError.noFile, action: "read")
    }
    var bytes: [UInt8] = []
    // A small file at once, and none for more than it is.
    var size = hasStatus ? max(min(Int(status.st_size), 1 << 20) + 1, 4096) : 65_536
    while true {
      var code: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: min(size, most - bytes.count)) { buffer, count in
        let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        (code, count) = got < 0 ? (errno, 0) : (0, got)
      }
      if code == EINTR { continue }
      if code != 0 { throw FileError(path: path, code: code, action: "read") }
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if hasStatus, bytes.count == Int(status.st_size) { return bytes }
      size = 65_536
    }
  }

  /// The whole content of a file as text; bytes that are not UTF-8 become replacement characters.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func readText(_ path: String) throws(FileError) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Writes a file, in place of what is there.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func write(_ text: String, to path: String, mode: UInt32 = 0o644) throws(FileError) {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  /// Writes a file, in place of what is there.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "write") }
    defer { close(descriptor) }
    let code = bytes.withUnsafeBytes { Output.write($0, to: descriptor) }
    if code != 0 { throw FileError(path: path, code: code, action: "write") }
  }

  /// The names in a folder, sorted, without `.` and `..`.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func list(_ folder: String) throws(FileError) -> [String] {
    guard let handle = opendir(folder) else {
      throw FileError(path: folder, code: errno, action: "list")
    }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether something is there.
  public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether the path is a program this user may run.
  public static func isExecutable(_ path: String) -> Bool {
    access(path, X_OK) == 0 && !isDirectory(path)
  }

  /// Whether the path is a folder.
  public static func isDirectory(_ path: String) -> Bool { (try? FileStatus(path))?.kind == .folder }

  /// The bytes of a file; nil when nothing is there.
  public static func size(_ path: String) -> Int? { (try? FileStatus(path))?.size }

  /// The bytes that a file, or a folder with all that is in it, takes on the disk.
  public static func sizeOnDisk(_ path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    var bytes = Int(status.st_blocks) * 512
    guard status.st_mode & S_IFMT == S_IFDIR else { return bytes }
    for name in (try? list(path)) ?? [] { bytes += sizeOnDisk(Path.join(path, name)) }
    return bytes
  }

  /// How many bytes this user may still write on the device of a file or folder; nil where that cannot be seen.
  public static func freeSpace(at path: String) -> Int? {
    var device = statvfs()
    guard statvfs(path, &device) == 0 else { return nil }
    return Int(device.f_bavail) * Int(device.f_frsize)
  }

  /// Makes a folder and those above it.
  ///
  /// `mode`: who may do what in it, whatever the user's mask is, and others go through those above it; nil leaves
  /// both to the mask.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func makeDirectory(_ path: String, mode: UInt32? = nil) throws(FileError) {
    if isDirectory(path) { return }
    let parent = Path.parent(path)
    if parent != path && !parent.isEmpty { try makeDirectory(parent, mode: mode.map { _ in 0o755 }) }
    if mkdir(path, mode ?? 0o777) != 0 && errno != EEXIST {
      throw FileError(path: path, code: errno, action: "make")
    }
    if let mode { chmod(path, mode) }
  }

  /// Gives a file another path, at which nothing may be.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func move(_ path: String, to other: String) throws(FileError) {
    if exists(other) { throw FileError(path: other, code: EEXIST, action: "rename") }
    if rename(path, other) != 0 { throw FileError(path: path, code: errno, action: "rename") }
  }

  /// Removes a file, or a folder with all that is in it; what is not there is no error.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func remove(_ path: String) throws(FileError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw FileError(path: path, code: errno, action: "remove")
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if isFolder {
      for name in try list(path) { try remove(Path.join(path, name)) }
    }
    if (isFolder ? rmdir(path) : unlink(path)) != 0 && errno != ENOENT {
      throw FileError(path: path, code: errno, action: "remove")
    }
  }
}
