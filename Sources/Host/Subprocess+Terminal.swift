import Glibc

extension Subprocess {
  /// Runs the program on the terminal that this one has, with a file as its standard input; gives its exit
  /// code.
  /// - Throws: ``StartError`` where the program cannot be started.
  func run(reading descriptor: Int32) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    Streams.keepFromPrograms()
    let process = try spawn(&actions)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
