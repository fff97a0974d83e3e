public import Definitions
import Host
public import PostgreSQL

extension MigrationFolder {
  /// Folders that a project names, read as one, for a database that uses the project's datasets.
  ///
  /// `values` are those of placeholders; a folder beside others whose format has none does without.
  ///
  /// - Throws: as ``open(_:values:mayBeEmpty:)``, and `MigrationError.malformed` where a migration is for a
  ///   dataset that there is not.
  public init(
    of source: MigrationSource, in project: Project, values: PlaceholderValues = PlaceholderValues()
  ) throws {
    let folder: MigrationFolder
    if source.isNamed {
      do {
        folder = try MigrationFolder.open(source.folders, values: values, mayBeEmpty: true)
      } catch MigrationError.noPlaceholders where project.migrationSources.count > 1 {
        folder = try MigrationFolder.open(source.folders, mayBeEmpty: true)
      }
    } else {
      folder = try MigrationFolder(source.folders[0], values: values)
    }
    self = try folder.using(project.datasets, of: project.everyPipelineName)
    history = source.history
  }

  /// All histories that a project's migrations have in a database, in the order in which they are applied: of a
  /// folder that is run in several schemas each. One whose folder is not there is left out.
  ///
  /// - Throws: as ``init(of:in:values:)``, and `PostgreSQLError`.
  public static func histories(of project: Project, on connection: Connection) throws -> [MigrationFolder] {
    try project.migrationSources.filter { $0.folders.allSatisfy(Files.isDirectory) }.flatMap { source in
      let folder = try MigrationFolder(of: source, in: project)
      guard let schemas = source.schemas else { return [folder] }
      return try MigrationFolder.schemas(schemas, on: connection, mayBeMissing: true).map(folder.inSchema)
    }
  }
}
