import Host

/// A definition file being read, and what was found wrong with it so far.
///
/// Reading goes on after a mistake, so that one reading of a file reports all of them.
package final class DefinitionFile {
  /// The name that errors give: the path from the project's folder.
  package let name: String
  /// The mistakes found so far.
  package private(set) var errors: [DefinitionError] = []

  /// A file that is about to be read.
  package init(_ name: String) { self.name = name }

  /// Reports a mistake.
  package func report(_ message: String, at mark: Mark?, hint: String? = nil) {
    errors.append(DefinitionError(file: name, mark: mark, message: message, hint: hint))
  }

  /// Reports a text that should be one of some names, with the one that is probably meant; `list` is what the
  /// names are called where none is near, such as `known`.
  package func report(_ message: String, of text: Marked<String>, among known: [String], called list: String)
  {
    report(message, at: text.mark, hint: NearestName.hint(text.value, among: known, called: list))
  }

  /// Reports a mistake that was found elsewhere.
  package func report(_ error: DefinitionError) { errors.append(error) }

  /// The file's bytes; nil, with a mistake reported, when it cannot be read.
  package func bytes(at path: String) -> [UInt8]? {
    guard Files.exists(path) else {
      report("there is no such file", at: nil)
      return nil
    }
    do {
      // One byte more than a definition may have tells that it has too many.
      let bytes = try Files.read(path, atMost: YAMLReader.sizeLimit + 1)
      if bytes.count <= YAMLReader.sizeLimit { return bytes }
      report(
        "the definition is larger than \(YAMLReader.sizeLimit >> 20) MB", at: Mark(line: 1, column: 1))
      return nil
    } catch {
      report("cannot be read: \(error)", at: nil)
      return nil
    }
  }

  /// The tree of a YAML text; nil, with a mistake reported, when it is none.
  package func tree(_ bytes: [UInt8], firstLine: Int = 1) -> YAMLNode? {
    do {
      return try YAMLReader.read(bytes, file: name, firstLine: firstLine)
    } catch {
      report(error)
      return nil
    }
  }

  /// Throws when anything was found wrong.
  package func check() throws(DefinitionErrors) {
    if !errors.isEmpty { throw DefinitionErrors(errors) }
  }
}
