import Fetching
import Host
import Reporting

/// The sources of a command as they are given: paths, `-` for standard input, and addresses, which are
/// fetched. What has come is there as long as this is.
struct GivenSources {
  /// A source of a command.
  struct Given {
    /// The word of the command line.
    let argument: String
    /// What messages and the ledger call it: the path, the address without what may be secret in it, or
    /// `standard input`.
    let name: String
    /// Where its bytes are.
    let path: String

    fileprivate init(_ argument: String, named name: String? = nil, at path: String? = nil) {
      (self.argument, self.name, self.path) = (argument, name ?? argument, path ?? argument)
    }
  }

  /// Each, in their order.
  private(set) var all: [Given] = []
  private let folder: TemporaryFolder?

  /// Fetches what is no path.
  /// - Throws: `UsageError` where standard input is given twice, `FetchError`, `FileError`, `Interrupted`.
  init(_ arguments: [String], _ invocation: Invocation, _ session: Session) throws {
    guard arguments.filter({ $0 == "-" }).count < 2 else {
      throw invocation.usage("'-', standard input, is one source and was given twice")
    }
    folder = arguments.contains { $0 == "-" || Self.isAddress($0) } ? try TemporaryFolder() : nil
    for (number, argument) in arguments.enumerated() {
      guard let folder, argument == "-" || Self.isAddress(argument) else {
        all.append(Given(argument))
        continue
      }
      // Two addresses may end alike.
      let place = Path.join(folder.path, "\(number)")
      try Files.makeDirectory(place, mode: 0o700)
      if argument == "-" {
        let path = Path.join(place, "standard-input")
        try Input.save(to: path)
        all.append(Given(argument, named: "standard input", at: path))
      } else {
        let (address, path) = try Self.fetch(argument, to: place, invocation, session)
        all.append(Given(argument, named: address.withoutQuery, at: path))
      }
    }
  }

  private static func isAddress(_ argument: String) -> Bool {
    let text = argument.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  private static func fetch(
    _ given: String, to folder: String, _ invocation: Invocation, _ session: Session
  ) throws -> (WebAddress, path: String) {
    guard let address = WebAddress(given) else { throw invocation.usage("'\(given)' is no address") }
    guard let name = LinkTrail.fileName(Path.name(address.path)) else {
      throw FetchError.wrongContent(address, reason: "the address has no name for a file")
    }
    let fetcher = try fetcher(from: address, at: nil, invocation, session)
    let file = try session.showing(fetcher.progress) {
      try fetcher.file(at: address, named: name, lockWait: try session.lockWait())
    }
    let path = Path.join(folder, name)
    _ = try file.place(at: path)
    session.tell(
      "\(file.address.withoutQuery): \(file.bytes.grouped) bytes" + (file.isCached ? ", from the cache" : ""))
    return (address, path)
  }
}
