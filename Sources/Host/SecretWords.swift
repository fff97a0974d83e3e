import Glibc

/// Secrets among the words that a program is started with. On most machines every user sees these words, for
/// as long as the program runs.
public enum SecretWords {
  /// Takes the secrets out of this program's words as others see them, as `ps` does: `x` takes their
  /// place. `CommandLine.arguments` has to have been read before.
  ///
  /// What is read out in the moment before cannot be helped.
  public static func hide() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeMutableBufferPointer(start: word, count: strlen(word))
      for place in places(in: bytes.map { UInt8(bitPattern: $0) }).joined() { bytes[place] = 0x78 }
    }
  }

  /// Keeps the memory of this program, and of those that it starts, out of core files: it has passwords and
  /// rows. Of one byte no core is written, nor handed to a program that collects cores.
  public static func keepFromCores() {
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    if setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) != 0 {
      limit = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
  }

  /// Whether a word has a secret in it.
  public static func has(_ word: String) -> Bool { places(in: Array(word.utf8)).contains { !$0.isEmpty } }

  /// Where the secrets of a word are, in bytes: the password before the `@` of an address, all that is behind
  /// its `?`, and what follows `password=` in a keyword string of libpq. Rather more than less.
  static func places(in word: [UInt8]) -> [Range<Int>] {
    guard let scheme = word.firstRange(of: Array("://".utf8)) else {
      guard let name = word.firstRange(of: Array("password".utf8)) else { return [] }
      let sign = word[name.upperBound...].firstIndex { $0 != 0x20 }
      guard let sign, word[sign] == UInt8(ascii: "=") else { return [] }
      return [sign + 1..<word.count]
    }
    var found: [Range<Int>] = []
    var rest = word[scheme.upperBound...]
    if let end = rest.lastIndex(of: UInt8(ascii: "@")) {
      if let colon = rest[..<end].firstIndex(of: UInt8(ascii: ":")) { found.append(colon + 1..<end) }
      rest = rest[end...]
    }
    if let query = rest.firstIndex(of: UInt8(ascii: "?")) { found.append(query + 1..<word.count) }
    return found
  }
}
