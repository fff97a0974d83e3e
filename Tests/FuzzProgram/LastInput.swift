import Glibc

/// The input that is read, for the handler that writes it down when its reader traps or hangs.
enum LastInput {
  nonisolated(unsafe) private static let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 20, alignment: 16)
  nonisolated(unsafe) private static var count = 0
  nonisolated(unsafe) private static var file: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var words: UnsafeMutablePointer<CChar>?
  /// A stack that is used up is no place for a handler. Held here, as a search for leaks does not ask the system.
  nonisolated(unsafe) private static let handlerStack = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 1 << 16, alignment: 16)

  /// From now on an input at which the process ends is written to a file, which is said as libFuzzer says it.
  static func keep(in path: String) {
    file = strdup(path)
    words = strdup("Test unit written to \(path)\n")
    var stack = stack_t()
    stack.ss_sp = handlerStack.baseAddress
    stack.ss_size = handlerStack.count
    sigaltstack(&stack, nil)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in LastInput.write() }
      action.sa_flags = SA_ONSTACK
      sigaction(number, &action, nil)
    }
  }

  /// This is what is read next, for at most so many seconds.
  static func set(_ new: [UInt8], seconds: Int) {
    count = min(new.count, bytes.count)
    new.withUnsafeBytes { bytes.copyMemory(from: .init(rebasing: $0.prefix(count))) }
    alarm(CUnsignedInt(seconds))
  }

  /// Only what a handler may call.
  private static func write() {
    guard let file, let words else { _exit(77) }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    _ = Glibc.write(descriptor, bytes.baseAddress, count)
    _ = Glibc.write(STDERR_FILENO, words, strlen(words))
    _exit(77)
  }
}
