/// The command line was wrong: said with exit code 2.
struct UsageError: Error {
  let message: String
  /// The commands from the top down to the one whose help would help.
  let path: [String]
}

/// One command with what it was given.
struct Invocation: Sendable {
  let command: Command
  /// The names from `rivulet` down to the command.
  let path: [String]
  var arguments: [String] = []
  var values: [String: String] = [:]
  /// The values of options that may come several times, in their order.
  var lists: [String: [String]] = [:]
  /// Undeclared options of a command that takes parameters, in their order.
  var parameters: [(name: String, value: String)] = []
  /// Why the command cannot be run, where an argument is missing.
  var incomplete: UsageError?

  /// Whether an option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// An option's value.
  subscript(option: String) -> String? { values[option] }

  /// All values of an option that may come several times.
  func all(_ option: String) -> [String] { lists[option, default: []] }

  /// An option's value as a whole number of at least `minimum`.
  func integer(_ option: String, atLeast minimum: Int = 0) throws -> Int? {
    guard let text = values[option] else { return nil }
    guard let number = Int(text), number >= minimum else {
      throw usage("\(option) takes a whole number of at least \(minimum), not '\(text)'")
    }
    return number
  }

  /// An option's value in seconds, with decimals.
  func seconds(_ option: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = values[option] else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw usage("\(option) takes seconds, \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return number
  }

  /// An error that points at this command's help.
  func usage(_ message: String) -> UsageError { UsageError(message: message, path: path) }
}
