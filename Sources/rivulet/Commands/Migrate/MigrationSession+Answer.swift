import Definitions
import MigrationEngine
import PipelineCore
import PostgreSQL
import Reporting
import Values

/// What a subcommand answers: its JSON, and the same for people.
typealias MigrationDocument = (json: JSON, text: ConsoleText)

extension MigrationSession {
  /// The folder in each schema that it is to be run in; itself where that is none.
  ///
  /// Schemas that `rivulet.yaml` names may be missing, unless something is to be applied in them.
  func inSchemas(on connection: Connection, toApply: Bool = false) throws -> [MigrationSession] {
    guard let schemas else { return [self] }
    let isNamed = project?.migrations.isEmpty == false
    do {
      return try MigrationFolder.schemas(schemas, on: connection, mayBeMissing: isNamed && !toApply).map {
        inSchema($0)
      }
    } catch MigrationError.noSchemas(let missing, _) where missing.isEmpty && isNamed {
      return []
    }
  }

  /// The folder in the schemas that are named, or in one of any name where a query says which there are: for a
  /// shadow, which is asked nothing; itself where it is run in none.
  var inShadow: [MigrationSession] {
    guard let schemas else { return [self] }
    return (MigrationFolder.namedSchemas(schemas) ?? ["tenant"]).map { inSchema($0) }
  }

  private func inSchema(_ schema: String) -> MigrationSession {
    var one = self
    one.folder = folder.inSchema(schema)
    return one
  }

  /// Which of several histories it is, as people name it; empty where there is one alone.
  private var place: String { [label, folder.schema].compactMap(\.self).joined(separator: "/") }

  /// Says what is done in it, by name where it is one of several.
  func tell(_ sentence: String) { session.tell(place.isEmpty ? sentence : "\(place): \(sentence)") }

  /// Does something, and says where it has failed.
  private func naming<Value>(_ body: (MigrationSession) throws -> Value) throws -> Value {
    do {
      return try body(self)
    } catch {
      if !place.isEmpty { session.tell("\(place): failed") }
      throw error
    }
  }

  /// Does something in each schema of the folder; of several schemas the text of each behind its name.
  func document(
    on connection: Connection, toApply: Bool = false, _ body: (MigrationSession) throws -> MigrationDocument
  ) throws -> MigrationDocument {
    let all = try inSchemas(on: connection, toApply: toApply)
    guard schemas != nil else { return try all[0].naming(body) }
    if all.isEmpty {
      return (["schemas": JSON.array([])], "there is no schema\(label.map { " for \($0)" } ?? "")\n")
    }
    var documents: [JSON] = []
    var text = ConsoleText("")
    for one in all {
      let answer = try one.naming(body)
      documents.append((["schema": one.folder.schema] as JSON) + answer.json)
      text = text + "\(one.place):\n" + answer.text
    }
    return (["schemas": JSON.array(documents)], text)
  }

  /// Does something with each folder, in each of its schemas, and answers with what each gives; of several
  /// folders the text of each behind its name.
  ///
  /// `closing` is what is said once, after all of them.
  static func answer(
    _ all: [MigrationSession], on connection: Connection, toApply: Bool = false,
    closing: MigrationDocument = ([:], ""), _ body: (MigrationSession) throws -> MigrationDocument
  ) throws -> MigrationDocument {
    if all.count == 1 {
      let only = try all[0].document(on: connection, toApply: toApply, body)
      return (only.json + closing.json, only.text + closing.text)
    }
    var documents: [JSON] = []
    var text = ConsoleText("")
    for folder in all {
      let answer = try folder.document(on: connection, toApply: toApply, body)
      documents.append((["history": folder.folder.history] as JSON) + answer.json)
      text = text + (folder.schemas == nil ? "\(folder.place):\n" : "") + answer.text
    }
    return ((["folders": JSON.array(documents)] as JSON) + closing.json, text + closing.text)
  }
}
