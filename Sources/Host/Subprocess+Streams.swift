import Glibc

extension Subprocess {
  /// The pipes between this process and a program that it runs.
  struct Streams {
    private var input: Int32 = -1
    private var outputForReading: Int32 = -1
    private var outputForWriting: Int32 = -1

    /// A file without a name that holds the whole input; gives the program's end. A pipe would have to be
    /// filled while the program reads, or does not.
    mutating func holdInput(_ text: String, of program: String) throws -> Int32 {
      do { input = try UnnamedFile.open() } catch { throw StartError(program: program, code: error.code) }
      let code = Array(text.utf8).withUnsafeBytes { Output.write($0, to: input) }
      guard code == 0, lseek(input, 0, SEEK_SET) == 0 else { throw StartError(program: program, code: code) }
      return input
    }

    /// A pipe for what the program writes; gives the program's end.
    mutating func openOutput(of program: String) throws -> Int32 {
      var ends: [Int32] = [-1, -1]
      guard Glibc.pipe(&ends) == 0 else { throw StartError(program: program, code: errno) }
      (outputForReading, outputForWriting) = (ends[0], ends[1])
      return outputForWriting
    }

    /// All that the program and its children write until they have closed the pipe, or until a moment of
    /// `Machine.seconds`, or until this program is asked to end where there is such a moment.
    mutating func readOutput(until deadline: Double? = nil) -> [UInt8] {
      Streams.shut(&outputForWriting)
      guard outputForReading >= 0 else { return [] }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 16_384)
      while true {
        if let deadline, !isReadable(before: deadline) { return bytes }
        let count = chunk.withUnsafeMutableBytes { read(outputForReading, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return bytes }
        bytes.append(contentsOf: chunk[..<count])
      }
    }

    /// Waits until there is something to read, or the end.
    private func isReadable(before deadline: Double) -> Bool {
      while Machine.seconds < deadline, !Interruption.shared.isRaised {
        var pipe = pollfd(fd: outputForReading, events: Int16(POLLIN), revents: 0)
        if poll(&pipe, 1, 50) > 0 { return true }
      }
      return false
    }

    mutating func closeAll() {
      Streams.shut(&input)
      Streams.shut(&outputForReading)
      Streams.shut(&outputForWriting)
    }

    /// Marks every file of this process but the standard streams as not for the programs it starts: also the
    /// pipes that its own parent left open in it, and those that another thread makes at this moment.
    static func keepFromPrograms() {
      guard let names = try? Files.list("/proc/self/fd") else { return }
      for descriptor in names.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
    }

    private static func shut(_ descriptor: inout Int32) {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }
}
