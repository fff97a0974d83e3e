extension SchemaDrift {
  /// Why a database and its history cannot be compared.
  public enum Problem: Error, Sendable {
    /// Migrations that were there before this program came and whose text was not recorded.
    case withoutText([String])
    /// The throw-away server is of another major version, which describes the same schema in other words.
    case otherVersion(database: Int, shadow: Int)
    /// What the history has cannot be applied to an empty database.
    case cannotBeRepeated(MigrationError)
  }
}

extension SchemaDrift.Problem: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .withoutText(let labels):
      "the history does not have the text of \(labels.joined(separator: ", ")), which was there before this program came"
    case .otherVersion(let database, let shadow):
      "the database's server is PostgreSQL \(database), the throw-away one PostgreSQL \(shadow): "
        + "they describe the same schema in other words"
    case .cannotBeRepeated(let error):
      "what the history has cannot be applied to an empty database: \(error.located)"
    }
  }

  /// How to fix it.
  public var hint: String {
    switch self {
    case .withoutText: "record the schema as it was with 'rivulet migrate baseline', then ask again"
    case .otherVersion(let database, _):
      "use --here, or name the bin folder of PostgreSQL \(database) in RIVULET_PG_BIN"
    case .cannotBeRepeated:
      "a migration relies on what no migration made: 'rivulet migrate verify' shows the same with the files"
    }
  }
}
