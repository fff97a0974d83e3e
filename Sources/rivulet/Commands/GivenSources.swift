import Fetching
import Host
import Reporting

/// The sources of a command as they are given: paths, `-` for standard input, and addresses, which are
/// fetched. What has come is there as long as this is.
struct GivenSources {
  /// A path of each, in their order.
  private(set) var paths: [String] = []
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
        paths.append(argument)
        continue
      }
      // Two addresses may end alike.
      let place = Path.join(folder.path, "\(number)")
      try Files.makeDirectory(place, mode: 0o700)
      if argument == "-" {
        let path = Path.join(place, "standard-input")
        try Input.save(to: path)
        paths.append(path)
      } else {
        paths.append(try Self.fetch(argument, to: place, invocation, session))
      }
    }
  }

  private static func isAddress(_ argument: String) -> Bool {
    let text = argument.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }

  private static func fetch(
    _ given: String, to folder: String, _ invocation: Invocation, _ session: Session
  ) throws -> String {
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
    session.tell("\(file.address): \(file.bytes.grouped) bytes" + (file.isCached ? ", from the cache" : ""))
    return path
  }
}
