import Glibc

extension Subprocess {
  /// Lets the program take this process's place, with its terminal and its number, so that signals from the
  /// keyboard are the program's alone. Comes back only by throwing ``StartError``.
  /// - Throws: ``StartError`` where the program cannot be started.
  public func replaceProcess() throws -> Never {
    Streams.keepFromPrograms()
    for name in withheldVariables { unsetenv(name) }
    for variable in environment { setenv(variable.key, variable.value, 1) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    for number in [SIGINT, SIGTERM, SIGPIPE] { signal(number, SIG_DFL) }
    let arguments = command.map { strdup($0) } + [nil]
    execvp(command[0], arguments)
    let code = errno
    for pointer in arguments { free(pointer) }
    throw StartError(program: command[0], code: code)
  }
}
