/// An option of a command, declared once: parsing, help and completions follow from it.
struct Option: Sendable {
  /// With its dashes: `--release`.
  let name: String
  /// One letter with its dash, if there is one.
  var short: String?
  /// What stands for the value in help; nil for an option that takes none.
  var value: String?
  /// The values allowed, where they are few.
  var choices: [String] = []
  /// It may come several times, each with a value of its own.
  var isRepeatable = false
  let summary: String

  init(
    _ name: String, short: String? = nil, value: String? = nil, choices: [String] = [],
    isRepeatable: Bool = false, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.isRepeatable = isRepeatable
    self.summary = summary
  }
}

/// A positional argument of a command.
struct Argument: Sendable {
  /// How often it may come.
  enum Arity: Sendable {
    case one
    case optional
    case oneOrMore
    case any
  }

  let name: String
  let summary: String
  var arity = Arity.one

  init(_ name: String, _ summary: String, _ arity: Arity = .one) {
    self.name = name
    self.summary = summary
    self.arity = arity
  }

  /// As usage lines write it.
  var usage: String {
    switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .oneOrMore: "\(name)..."
    case .any: "[\(name)...]"
    }
  }
}

/// A command: what it is called with, what help says of it, and what it does.
struct Command: Sendable {
  let name: String
  let summary: String
  var discussion = ""
  var arguments: [Argument] = []
  var options: [Option] = []
  /// Options that are not declared are taken with their values, for a command whose options are content.
  var takesParameters = false
  var examples: [String] = []
  var subcommands: [Command] = []
  /// It is in no list of commands.
  var isHidden = false
  /// What to say of words that are too few, where the command knows better than that; nil where it does not.
  var explain: (@Sendable (Invocation, Session) -> UsageError?)?
  var run: (@Sendable (Invocation, Session) throws -> Int32)?
}
