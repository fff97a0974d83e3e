import Glibc

/// A program run to its end.
public struct Subprocess: Sendable {
  /// How a program ended and what it wrote.
  public struct Outcome: Sendable {
    /// The exit code, or 128 and the signal's number.
    public let status: Int32
    /// What it wrote to standard output and standard error, in the order it came.
    public let output: String
    /// The largest resident memory of the program, in bytes.
    ///
    /// Never less than what this process held when it started the program.
    public let peakMemory: Int
    /// It took longer than ``Subprocess/timeLimit``, and was killed.
    public let isLate: Bool
  }

  /// Why a program could not be started.
  public struct StartError: Error, CustomStringConvertible, Sendable {
    /// The program.
    public let program: String
    /// The `errno` of the attempt.
    public let code: Int32

    /// A sentence for the user.
    public var description: String { "cannot start '\(program)': \(systemMessage(code))" }
  }

  /// The program and its arguments.
  public var command: [String]
  /// Variables set on top of the process's own environment.
  public var environment: [String: String] = [:]
  /// Variables of the process's own environment that the program does not get, by the start of their names.
  public var withheldPrefixes: [String] = []
  /// Text for the program's standard input; nil is an empty input.
  public var input: String?
  /// The program leads a session of its own, out of reach of the terminal's Ctrl-C.
  public var hasOwnSession = false
  /// So many seconds it gets, or fewer where this program is asked to end; nil for as long as it takes. It is
  /// killed then, with those that it has started where it has a session of its own.
  public var timeLimit: Double?

  /// A program found by path or on `PATH`, with its arguments.
  public init(_ command: [String]) { self.command = command }

  /// Runs the program and waits for its end.
  ///
  /// It gets no file of this process but its standard streams, so that what it leaves running holds nobody's
  /// pipe open, and starts with every signal at its default.
  /// - Throws: ``StartError`` where the program cannot be started.
  public func run() throws -> Outcome {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var streams = Streams()
    defer { streams.closeAll() }
    try redirect(&actions, &streams)
    Streams.keepFromPrograms()
    let process = try spawn(&actions)
    let deadline = timeLimit.map { Machine.seconds + $0 }
    let output = streams.readOutput(until: deadline)
    let isLate = deadline.map { !Subprocess.ends(process, by: $0) } ?? false
    // It is not waited for yet, so that its number is nobody else's.
    if isLate { kill(hasOwnSession ? -process : process, SIGKILL) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return Outcome(
      status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
      output: String(decoding: output, as: UTF8.self),
      peakMemory: usage.ru_maxrss * 1024, isLate: isLate)
  }

  /// Waits for the end of a program; false where it does not come in time, or this program is asked to end.
  private static func ends(_ process: pid_t, by deadline: Double) -> Bool {
    while true {
      var information = siginfo_t()
      let code = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
      if code == 0 && information.si_signo == SIGCHLD { return true }
      if Interruption.shared.isRaised || Machine.seconds >= deadline { return false }
      Machine.sleep(seconds: 0.01)
    }
  }

  private func redirect(_ actions: inout posix_spawn_file_actions_t, _ streams: inout Streams) throws {
    if let input {
      posix_spawn_file_actions_adddup2(&actions, try streams.holdInput(input, of: command[0]), STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, try streams.openOutput(of: command[0]), STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
  }

  func spawn(_ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if hasOwnSession { flags |= Subprocess.setSession }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let arguments = command.map { strdup($0) } + [nil]
    let variables = mergedEnvironment().map { strdup($0) } + [nil]
    defer {
      for pointer in arguments { free(pointer) }
      for pointer in variables { free(pointer) }
    }
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
    guard code == 0 else { throw StartError(program: command[0], code: code) }
    return process
  }

  /// `POSIX_SPAWN_SETSID`, which the C library shows to GNU sources only.
  private static let setSession: Int32 = 0x80

  private func mergedEnvironment() -> [String] {
    let withheld = withheldVariables
    let kept = Subprocess.ownEnvironment.filter { environment[$0.name] == nil && !withheld.contains($0.name) }
    return kept.map(\.entry) + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// The names of the variables that the program does not get.
  var withheldVariables: Set<String> {
    let names = Subprocess.ownEnvironment.map(\.name)
    return Set(names.filter { name in withheldPrefixes.contains { name.hasPrefix($0) } })
  }

  static var ownEnvironment: [(name: String, entry: String)] {
    var found: [(name: String, entry: String)] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      found.append((String(text.prefix { $0 != "=" }), text))
      next += 1
    }
    return found
  }
}
