extension SetupCheck {
  /// Whether the libraries that were loaded are those that the program was built for.
  static let libraries = SetupCheck(
    "libraries", .machine,
    because: "an older library than the program was built with lacks functions, and fixes"
  ) { _ in
    let versions = Library.all.map { "\($0.name) \($0.running.text)" }.joined(separator: ", ")
    let findings = Library.all.compactMap(finding)
    return findings.isEmpty ? [.ok(versions)] : findings + [.note(versions)]
  }

  /// What a library means that is older than the one that the program was built with; nil where it is not.
  static func finding(_ library: Library) -> Finding? {
    guard let built = library.built, library.running.numbers.lexicographicallyPrecedes(built.numbers) else {
      return nil
    }
    return .warning(
      "\(library.name) is \(library.running.text), and the program was built with \(built.text)",
      fix: "apt-get install --only-upgrade \(library.package)")
  }
}

/// A shared library that the program uses.
struct Library {
  /// A version by its numbers, the first ones of its text.
  struct Version {
    /// `3.6.2`.
    let text: String

    /// The numbers, the greatest part first.
    var numbers: [Int] { text.split { !$0.isASCII || !$0.isNumber }.prefix(3).compactMap { Int($0) } }
  }

  /// Its name.
  let name: String
  /// Debian's package of it.
  let package: String
  /// The version that is loaded.
  let running: Version
  /// The version of the headers that the program was built with; nil where they do not say.
  let built: Version?

  init(_ name: String, package: String, running: String, built: String?) {
    (self.name, self.package) = (name, package)
    self.running = Version(text: running)
    self.built = built.map(Version.init)
  }
}
