import Definitions
import Describing
import PipelineCore
import PostgreSQL

extension DataDictionary {
  /// The dictionary of datasets and of a database that has their tables.
  /// - Throws: ``RunError`` where it lacks one, and `PostgreSQLError`.
  static func read(_ pipelines: [Pipeline], on connection: Connection) throws -> DataDictionary {
    let dictionary = DataDictionary(pipelines, relations: try SchemaReader.relations(on: connection))
    if let missing = dictionary.missingTables.first { throw RunError.missingTarget(missing) }
    return dictionary
  }
}
