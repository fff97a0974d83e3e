/// What a server has refused a role for want of a right (42501), as its words say it.
///
/// The server tells it in words alone; those of a server that speaks another language than English say
/// nothing here.
enum Refusal: Equatable {
  /// `permission denied for table rvu`: the kind of object in the server's words, and its name without its
  /// schema.
  case privilege(kind: String, name: String)
  /// `must be owner of table rvu`.
  case ownership(kind: String, name: String)
  /// Temporary tables in a database.
  case temporaryTables(database: String)
  /// An extension that only a superuser may make.
  case superuserExtension(String)
  /// What members of a role may do.
  case membership(String)
  /// What an attribute of roles allows: `CREATEROLE`, `CREATEDB`.
  case attribute(String)
  /// A setting that is a superuser's.
  case parameter(String)
  /// What only a superuser may do.
  case superuser

  /// Nil where the words are not known, or nothing can be granted, such as past a row level policy.
  init?(_ error: ServerError) {
    guard error.sqlState == "42501" else { return nil }
    let message = error.message
    let said = [message, error.detail, error.hint].compactMap(\.self).joined(separator: "\n")
    if let found = message.wholeMatch(of: /permission denied to create temporary tables in database "(.+)"/) {
      self = .temporaryTables(database: String(found.1))
    } else if let found = message.wholeMatch(of: /permission denied to create extension "(.+)"/) {
      // Of one that is trusted the hint says what is enough.
      self =
        error.hint?.contains("CREATE privilege on current database") == true
        ? .privilege(kind: "database", name: "") : .superuserExtension(String(found.1))
    } else if let found = message.wholeMatch(of: /permission denied to set parameter "(.+)"/) {
      self = .parameter(String(found.1))
    } else if message == "permission denied to create role" || said.contains(/CREATEROLE attribute/) {
      self = .attribute("CREATEROLE")
    } else if message == "permission denied to create database" {
      self = .attribute("CREATEDB")
    } else if let found = said.firstMatch(of: /privileges of the "?(pg_\w+)"? role/) {
      self = .membership(String(found.1))
    } else if let found = message.wholeMatch(
      of: /(?:must be member of role|must be able to SET ROLE|permission denied to set role) "(.+)"/)
    {
      self = .membership(String(found.1))
    } else if let found = message.wholeMatch(of: /permission denied for ([a-z -]+) ("?)(.+)\2/) {
      self = .privilege(kind: String(found.1), name: String(found.3))
    } else if let found = message.wholeMatch(of: /must be owner of ([a-z -]+) ("?)(.+)\2/) {
      self = .ownership(kind: String(found.1), name: String(found.3))
    } else if said.contains(/[Mm]ust be superuser/) || said.contains("superuser may") {
      self = .superuser
    } else {
      return nil
    }
  }
}
