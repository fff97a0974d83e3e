extension MigrationEngine {
  /// What the database has, where nothing keeps `up` from going on.
  ///
  /// `isPrepared`: the schema `rivulet` is known to be of the program's version.
  func agreedStatus(isPrepared: Bool = false) throws -> MigrationStatus {
    let status = try namingRights { try readStatus(isPrepared: isPrepared) }
    try status.requireAgreement(allowingLate: allowsLate)
    return status
  }

  /// What `up` is to run: versioned ones, then the repeatable ones if no versioned one is left.
  func chosen(_ status: MigrationStatus, _ goal: MigrationGoal) throws(MigrationError) -> [Migration] {
    let wanted = try wanted(status, goal)
    let versioned =
      switch contractHalves {
      case .all: wanted
      case .wait: Array(wanted.prefix { !$0.isContract || status.isBegun($0) })
      case .next: Array(wanted.prefix(1).filter(\.isContract))
      }
    // Those of the second half that waits may wait for long.
    let isLast = status.pending.dropFirst(versioned.count).allSatisfy(\.isContract)
    guard isLast, contractHalves != .next || !versioned.isEmpty else { return versioned }
    return versioned + (status.pendingRepeatables + status.recurring).sorted { $0.name < $1.name }
  }

  /// The pending versions as far as somebody wants to go.
  private func wanted(_ status: MigrationStatus, _ goal: MigrationGoal) throws(MigrationError) -> [Migration]
  {
    switch goal {
    case .natural: return status.pending
    case .steps(let count): return Array(status.pending.prefix(count))
    case .version(let version):
      let half = version + Migration.contractEnding
      let last = contractHalves == .all && folder.migration(half) != nil ? half : version
      let wanted = Set(try folder.migrations(upTo: last).map(\.version))
      return status.pending.filter { wanted.contains($0.version) }
    }
  }

  /// That something wanted has to wait until a second half was run; nil where nothing has.
  func delay(_ status: MigrationStatus, _ goal: MigrationGoal) throws(MigrationError) -> MigrationError? {
    guard contractHalves == .wait else { return nil }
    let rest = try wanted(status, goal).drop { !$0.isContract || status.isBegun($0) }
    guard let half = rest.first else { return nil }
    let behind = rest.dropFirst().map(\.label)
    if case .version(let version) = goal, folder.order.isSame(version, half.version) {
      return .awaitsContract(half.label, behind: behind)
    }
    return behind.isEmpty ? nil : .awaitsContract(half.label, behind: behind)
  }

  /// The SQL of the migrations to revert, the newest first: all of them are known to have one before the first
  /// is touched.
  func wayBack(_ status: MigrationStatus, _ goal: MigrationGoal) throws -> [SectionWork] {
    if let begun = status.applied.first(where: \.isBegun) { throw MigrationError.underWay(begun.label, .up) }
    var chosen = Array(status.done.reversed())
    switch goal {
    case .natural: chosen = Array(chosen.prefix(1))
    case .steps(let count): chosen = Array(chosen.prefix(count))
    case .version(let version) where !version.isEmpty && version.allSatisfy { $0 == "0" }: break
    case .version(let version):
      guard status.done.contains(where: { folder.order.isSame($0.version, version) }) else {
        throw MigrationError.unknownVersion(version, known: status.done.map(\.version))
      }
      chosen = chosen.filter { folder.order.precedes(version, $0.version) }
    }
    return try wayBack(chosen)
  }

  /// The SQL of some migrations.
  func wayBack(_ chosen: [AppliedMigration]) throws -> [SectionWork] {
    // Those of a long history are many.
    let texts = try history.texts(of: chosen)
    return try chosen.map { try SectionWork(back: $0, try wayBack($0, texts[$0.position])) }
  }

  /// What `redo` applies after some migrations were reverted.
  func wayForth(_ status: MigrationStatus, after back: [SectionWork]) throws(MigrationError) -> [Migration] {
    let versioned = try back.reversed().map { work throws(MigrationError) in
      guard let migration = folder.migration(work.version) else {
        throw .missing([work.kind.label(work.version, work.name)])
      }
      // Where it was applied.
      return work.section.options.runIn.map(migration.inSchema) ?? migration
    }
    return versioned + (status.pending.isEmpty ? folder.repeatables : [])
  }

  private func wayBack(_ row: AppliedMigration, _ text: AppliedText?) throws -> Migration.Section {
    let file = folder.migration(row.version)?.down
    let applied = try text?.migration(row).down
    for down in [file, applied] {
      if case .irreversible(let reason)? = down {
        throw MigrationError.irreversible(version: row.version, name: row.name, reason: reason)
      }
    }
    // What was applied is what has to be reverted, even if the file was edited or is gone.
    guard var section = applied?.section else {
      throw MigrationError.irreversible(
        version: row.version, name: row.name, reason: "it was applied without a section 'down'")
    }
    // Errors name the file's own lines where it has the same text; how it runs is as it was applied.
    if let own = file?.section, own.sql == text?.down {
      (section.file, section.line, section.inclusions) = (own.file, own.line, own.inclusions)
    }
    section.values = section.options.runIn.map { folder.values.with(defaultSchema: $0) } ?? folder.values
    if section.options.placeholders != nil { try folder.values.addDefaults(of: connection) }
    return section
  }
}
