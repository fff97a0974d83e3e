import Catalog

extension SetupCheck {
  /// Whether schema `rivulet` is of this program's version.
  static let ledger = SetupCheck(
    "ledger", .server, because: "history, runs and releases are kept in schema 'rivulet'"
  ) { subject in
    [ledger(version: try subject.reading { try Catalog.installedVersion($0) })]
  }

  /// What its version means; 0 where it is missing.
  static func ledger(version: Int) -> Finding {
    if version == 0 {
      return .warning(
        "the schema 'rivulet' is not there: nothing was migrated yet", fix: "rivulet migrate up")
    }
    if version < Catalog.version {
      return .warning(
        "the schema 'rivulet' is of version \(version), this program makes \(Catalog.version)",
        fix: "rivulet migrate up")
    }
    let newer = Catalog.Problem.newer(found: version, known: Catalog.version)
    if version > Catalog.version {
      return .error(newer.description, fix: "rivulet --version  # use a newer one")
    }
    return .ok("the schema 'rivulet' is of version \(version), as this program's")
  }
}
