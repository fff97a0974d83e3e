/// A place in a definition file; the first line and the first column are 1.
public struct Mark: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int

  /// A place in a definition file.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A mistake in a definition file: where it is, what it is, and how to fix it.
///
///     Pipelines/cms-rvu/pipeline.yaml:12:7: unknown key 'formatz'; did you mean 'formats'?
public struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file, as a path from the project's folder.
  public var file: String
  /// Where in the file; nil when the file as a whole is meant.
  public var mark: Mark?
  /// What is wrong.
  public var message: String
  /// What to do about it, such as the nearest known name.
  public var hint: String?

  /// A mistake in a file.
  public init(file: String, mark: Mark? = nil, message: String, hint: String? = nil) {
    (self.file, self.mark, self.message, self.hint) = (file, mark, message, hint)
  }

  /// The line, from 1; nil when the file as a whole is meant.
  public var line: Int? { mark?.line }
  /// The column in characters, from 1; nil when the file as a whole is meant.
  public var column: Int? { mark?.column }

  /// `file:line:column: message; hint`.
  public var description: String {
    let place = mark.map { "\(file):\($0.line):\($0.column)" } ?? file
    return "\(place): \(message)" + (hint.map { "; \($0)" } ?? "")
  }
}

/// Everything found wrong in a set of definition files, in the order of the files and their lines.
public struct DefinitionErrors: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistakes; never empty when thrown.
  public let errors: [DefinitionError]

  /// Gathers mistakes, ordered by file and place.
  public init(_ errors: [DefinitionError]) {
    self.errors = errors.sorted { one, other in
      (one.file, one.line ?? 0, one.column ?? 0) < (other.file, other.line ?? 0, other.column ?? 0)
    }
  }

  /// One mistake a line.
  public var description: String {
    errors.map(\.description).joined(separator: "\n")
  }
}
