/// An object that belongs to a role, as the catalog has it.
struct OwnedObject {
  let kind: Kind
  /// What `ALTER ... OWNER` calls it.
  let word: String
  /// Its number in its catalog.
  let number: String
  /// Qualified and quoted; of a function with its arguments.
  let name: String
  let owner: String
  /// Or by a member of one's role, who may become it.
  let isOwnedBySuperuser: Bool

  /// What the server's refusals tell apart.
  enum Kind {
    case relation, sequence, schema, database, function, type, language, server, wrapper

    /// By the server's word for it.
    init?(serverWord word: String) {
      switch word {
      case "table", "view", "materialized view", "foreign table", "relation", "index", "column":
        self = .relation
      case "sequence": self = .sequence
      case "schema": self = .schema
      case "database": self = .database
      case "function", "procedure", "aggregate", "routine": self = .function
      case "type", "domain": self = .type
      case "language": self = .language
      case "foreign server": self = .server
      case "foreign-data wrapper": self = .wrapper
      default: return nil
      }
    }

    /// What GRANT calls it.
    var grantWord: String {
      switch self {
      case .relation: "TABLE"
      case .sequence: "SEQUENCE"
      case .schema: "SCHEMA"
      case .database: "DATABASE"
      case .function: "ROUTINE"
      case .type: "TYPE"
      case .language: "LANGUAGE"
      case .server: "FOREIGN SERVER"
      case .wrapper: "FOREIGN DATA WRAPPER"
      }
    }

    /// The function that says whether a role has a privilege on it.
    var privilegeTest: String {
      switch self {
      case .relation: "has_table_privilege"
      case .sequence: "has_sequence_privilege"
      case .schema: "has_schema_privilege"
      case .database: "has_database_privilege"
      case .function: "has_function_privilege"
      case .type: "has_type_privilege"
      case .language: "has_language_privilege"
      case .server: "has_server_privilege"
      case .wrapper: "has_foreign_data_wrapper_privilege"
      }
    }

    /// Asks for the number, the name, the owner, whether that is a superuser and the word of ALTER, by a name
    /// ($1; of databases there is one) and a text that may name it with its schema ($2).
    var query: String {
      let columns =
        switch self {
        case .relation, .sequence:
          """
          c.oid, format('%I.%I', nspname, relname), relowner, strpos($2, nspname || '.' || relname) > 0,
            pg_table_is_visible(c.oid), CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW'
              WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END
          FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relname = $1 AND nspname !~ '^pg_toast'
          """
        case .function:
          """
          p.oid, format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(p.oid)), proowner,
            strpos($2, nspname || '.' || proname) > 0, pg_function_is_visible(p.oid), 'ROUTINE'
          FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE proname = $1
          """
        case .type:
          """
          t.oid, format('%I.%I', nspname, typname), typowner, strpos($2, nspname || '.' || typname) > 0,
            pg_type_is_visible(t.oid), 'TYPE'
          FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE $1::text IN (typname::text, format_type(t.oid, NULL))
          """
        case .schema:
          "oid, quote_ident(nspname), nspowner, true, true, 'SCHEMA' FROM pg_namespace WHERE nspname = $1"
        case .database:
          """
          oid, quote_ident(datname), datdba, true, true, 'DATABASE'
          FROM pg_database WHERE datname = current_database() AND $1::text IS NOT NULL
          """
        case .language:
          "oid, quote_ident(lanname), lanowner, true, true, 'LANGUAGE' FROM pg_language WHERE lanname = $1"
        case .server:
          "oid, quote_ident(srvname), srvowner, true, true, 'SERVER' FROM pg_foreign_server WHERE srvname = $1"
        case .wrapper:
          """
          oid, quote_ident(fdwname), fdwowner, true, true, 'FOREIGN DATA WRAPPER'
          FROM pg_foreign_data_wrapper WHERE fdwname = $1
          """
        }
      return """
        SELECT number, name, rolname,
          EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(r.oid, s.oid, 'MEMBER')), word FROM (
          SELECT \(columns)) found (number, name, owner, is_named, is_visible, word)
        JOIN pg_roles r ON r.oid = owner
        WHERE $2::text IS NOT NULL ORDER BY is_named DESC, is_visible DESC, name LIMIT 1
        """
    }
  }
}
