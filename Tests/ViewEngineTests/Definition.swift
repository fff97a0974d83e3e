@testable import Definitions

/// A view as its file defines it.
func definition(_ name: String, _ text: String) throws -> ViewDefinition {
  let file = DefinitionFile("views/\(name).sql")
  let view = ViewDefinition(Array(text.utf8), named: name, in: file)
  try file.check()
  guard let view else { throw DefinitionErrors([]) }
  return view
}
