import Fetching
import Glibc
import Host
import Values

/// Where events of OpenLineage go: a file, a line each, or a server.
///
/// That one does not arrive is a warning, and changes nothing about the command. After two in a row no more
/// are sent.
final class LineageSink {
  /// One of both.
  private enum Place {
    case file(String)
    case server(WebAddress)
  }

  /// So many seconds a server has for an event.
  private static let timeLimit = 5
  /// After so many failures in a row nothing more is sent.
  private static let longestSeries = 2

  private let place: Place
  private let warn: (String) -> Void
  private var failures = 0

  /// - `text`: a file, or the address of a server.
  /// - `warn`: takes a sentence on what did not arrive.
  init?(_ text: String, warn: @escaping (String) -> Void) {
    if Self.isAddress(text) {
      guard let address = WebAddress(text) else { return nil }
      place = .server(address)
    } else {
      place = .file(text)
    }
    self.warn = warn
  }

  /// Whether a text is meant as the address of a server.
  static func isAddress(_ text: String) -> Bool {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Writes or sends an event.
  func send(_ event: JSON) {
    guard failures < Self.longestSeries else { return }
    do {
      switch place {
      case .file(let path): try Self.append(event.text + "\n", to: path)
      case .server(let address):
        var message = WebMessage(posting: event.text, to: address)
        message.key = Machine.environment("OPENLINEAGE_API_KEY")
        message.timeLimit = Self.timeLimit
        message.isInterruptible = false
        try message.send(agent: "rivulet/\(Rivulet.version)")
      }
      failures = 0
    } catch {
      failures += 1
      let isLast = failures == Self.longestSeries
      warn("--openlineage: \(error)" + (isLast ? "; no more events are sent" : ""))
    }
  }

  /// Adds a line to a file, in one write, so that the lines of several programs do not mix. A new file is its
  /// owner's only: the events name the database and its tables.
  private static func append(_ line: String, to path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, OutputFile.ownersOnly)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "write") }
    defer { close(descriptor) }
    var line = line
    let code = line.withUTF8 { Output.write(UnsafeRawBufferPointer($0), to: descriptor) }
    if code != 0 { throw FileError(path: path, code: code, action: "write") }
  }
}
