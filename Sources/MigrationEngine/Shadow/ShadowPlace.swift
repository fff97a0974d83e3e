public import PostgreSQL

/// Where shadow databases are made.
public enum ShadowPlace {
  /// In a server of its own, made for this and thrown away afterwards: nothing else is needed or touched.
  case embedded
  /// In the server that a connection leads to, beside its database and with that one's encoding and
  /// collation.
  case beside(Connection)
}
