/// What is said of a password that others may see; it changes nothing about the command.
enum PasswordAdvice {
  /// The words of a command line are in the list of processes, until the program has read them, and in the
  /// history of a shell.
  static let isShown =
    "a password on the command line can be seen by others: leave it out of --database, and have it in ~/.pgpass, "
    + "in PGPASSWORD or in RIVULET_DATABASE_URL"

  /// A server that was reached without TLS.
  static let isOpen =
    "the connection is not encrypted: the exchange of the password and all rows can be read on the network; have "
    + "the server use TLS, and add sslmode=verify-full to the database's URL"
}
