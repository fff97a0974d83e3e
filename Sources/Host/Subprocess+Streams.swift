import Glibc

extension Subprocess {
  /// The pipes between this process and a program that it runs.
  struct Streams {
    private var input: Int32 = -1
    private var outputForReading: Int32 = -1
    private var outputForWriting: Int32 = -1

    /// A pipe that holds the whole input already; gives the program's end.
    mutating func holdInput(_ text: String, of program: String) throws -> Int32 {
      var bytes = Array(text.utf8)
      // More could block this process for ever: nobody reads before the program is started.
      guard bytes.count <= Subprocess.inputLimit else { throw StartError(program: program, code: E2BIG) }
      let (reading, writing) = try Streams.pipe(of: program)
      input = reading
      _ = write(writing, &bytes, bytes.count)
      close(writing)
      return reading
    }

    /// A pipe for what the program writes; gives the program's end.
    mutating func openOutput(of program: String) throws -> Int32 {
      (outputForReading, outputForWriting) = try Streams.pipe(of: program)
      return outputForWriting
    }

    /// All that the program and its children write until they have closed the pipe.
    mutating func readOutput() -> [UInt8] {
      Streams.shut(&outputForWriting)
      guard outputForReading >= 0 else { return [] }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 16_384)
      while true {
        let count = chunk.withUnsafeMutableBytes { read(outputForReading, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return bytes }
        bytes.append(contentsOf: chunk[..<count])
      }
    }

    mutating func closeAll() {
      Streams.shut(&input)
      Streams.shut(&outputForReading)
      Streams.shut(&outputForWriting)
    }

    private static func pipe(of program: String) throws -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [-1, -1]
      guard Glibc.pipe(&ends) == 0 else { throw StartError(program: program, code: errno) }
      return (ends[0], ends[1])
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
