import Glibc
import Host

/// What a reader does and must not, where that is no trap by itself.
enum Fault {
  /// Says it and ends the process, as a trap does.
  static func end(_ sentence: String) -> Never {
    Output.err(sentence)
    abort()
  }
}
