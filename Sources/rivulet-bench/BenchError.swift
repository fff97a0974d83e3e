/// Why nothing could be measured.
enum BenchError: Error, CustomStringConvertible {
  /// The command line is wrong.
  case usage(String)
  /// A program that was to be measured, or was needed for it, failed.
  case programFailed(command: String, status: Int32, output: String)
  /// A side did not do its work, so that its time says nothing.
  case wrongCount(what: String, expected: Int, found: Int)
  /// A bundle whose banner does not name a release in the publisher's words.
  case noBanner(file: String)
  /// A file could not be written.
  case cannotWrite(path: String, reason: String)

  /// The user asked for it in the wrong way.
  var isUsage: Bool {
    if case .usage = self { true } else { false }
  }

  var description: String {
    switch self {
    case .usage(let message): message
    case .programFailed(let command, let status, let output):
      "'\(command)' ended with \(status): \(output)"
    case .wrongCount(let what, let expected, let found):
      "\(what): \(found) instead of \(expected), so its time says nothing"
    case .noBanner(let file): "'\(file)' has no banner that names its release, so that it cannot be renamed"
    case .cannotWrite(let path, let reason): "cannot write '\(path)': \(reason)"
    }
  }
}
