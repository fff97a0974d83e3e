import Host

/// A folder with `rivulet.yaml` and the pipelines under `Pipelines/`.
///
///     let project = try Project.load("/home/me/fees")
///     let pipeline = try project.pipeline(named: "cms-rvu")
public struct Project: Sendable {
  /// The name of the project's file.
  public static let fileName = "rivulet.yaml"

  /// The folder.
  public var folder: String
  /// The project's name.
  public var name: String
  /// The time zone in which days begin and end, by its name in the IANA database.
  public var timeZone: String
  /// What is done every night.
  public var nightly: NightlyRules
  /// So many bytes of changes may wait for a view before that is worth a warning.
  public var queueLimit: Int
  /// The datasets that are used, by their pipelines' names, sorted; nil for all that there are.
  public var datasets: [String]?
  /// What is no drift of the schema, as patterns of a kind and a name: `table app.tmp_*`, `schema scratch`.
  public var ignoredDrift: [String] = []
  /// Whether stored views may be computed from tables that Citus distributes, for which it has to run their triggers.
  public var capturesOnShards = false
  /// The folders of migrations that the file names, in their order; empty where it names none.
  public var migrations: [MigrationSource] = []

  /// Reads a project's file.
  /// - Parameter folder: the folder that holds `rivulet.yaml`.
  /// - Returns: the project; its pipelines are read when they are asked for.
  /// - Throws: ``DefinitionErrors``, every mistake found in the file.
  public static func load(_ folder: String) throws(DefinitionErrors) -> Project {
    let file = DefinitionFile(fileName)
    let node = file.bytes(at: Path.join(folder, fileName)).flatMap { file.tree($0) }
    let fields = node.flatMap {
      Fields(
        $0, of: "the project",
        keys: ["project", "time_zone", "datasets", "queue_limit", "drift", "migrations", "citus"]
          + NightlyRules.keys,
        in: file)
    }
    let name = fields?.needText("project")
    NameRule.kebab.check(name, called: "a project's name", in: file)
    let zone = fields?.needText("time_zone")
    if let zone, !isZoneName(zone.value) {
      file.report(
        "'\(zone.value)' is no time zone", at: zone.mark,
        hint: "write a name such as America/New_York or UTC; an abbreviation hides summer time")
    }
    let names = try pipelineNames(in: folder)
    let datasets = fields?.texts("datasets").map { Datasets.chosen($0, of: names, in: folder, file: file) }
    let nightly = fields.map {
      NightlyRules($0, project: folder, pipelines: datasets ?? names, in: file)
    }
    let limit = fields?.bytes("queue_limit")
    let ignored = fields?.node("drift").map { DriftRules.ignored($0, in: file) }
    let migrations = fields.flatMap { fields in
      fields.has("migrations") ? MigrationSource.all(fields, project: folder, in: file) : nil
    }
    let capture = fields?.mapping("citus").flatMap { _ in fields?.node("citus") }.flatMap { node in
      Fields(node, of: "'citus'", keys: ["capture"], in: file)?.choice(
        "capture", of: "way to capture changes", among: ClusterCapture.allCases)
    }
    try file.check()
    return Project(
      folder: folder, name: name?.value ?? "", timeZone: zone?.value ?? "UTC",
      nightly: nightly ?? NightlyRules(), queueLimit: limit ?? usualQueueLimit, datasets: datasets,
      ignoredDrift: ignored ?? [], capturesOnShards: capture == .shards, migrations: migrations ?? [])
  }

  /// The limit where the file names none.
  public static let usualQueueLimit = 1_000_000_000

  /// The nearest folder, from one upwards, that holds `rivulet.yaml`; nil when none does.
  public static func folder(above folder: String) -> String? {
    guard var place = Path.resolved(folder) else { return nil }
    while !Files.exists(Path.join(place, fileName)) {
      let parent = Path.parent(place)
      if parent == place { return nil }
      place = parent
    }
    return place
  }

  /// The names of the pipelines whose datasets are used, sorted.
  ///
  /// - Throws: ``DefinitionErrors`` where a folder is there but cannot be read.
  public var pipelineNames: [String] {
    get throws(DefinitionErrors) {
      if let datasets { return datasets }
      return try everyPipelineName
    }
  }

  /// The names of all pipelines: the folders under `Pipelines/` that hold `pipeline.yaml`, sorted.
  ///
  /// - Throws: ``DefinitionErrors`` where a folder is there but cannot be read.
  public var everyPipelineName: [String] {
    get throws(DefinitionErrors) { try Project.pipelineNames(in: folder) }
  }

  private static func pipelineNames(in folder: String) throws(DefinitionErrors) -> [String] {
    let pipelines = Path.join(folder, "Pipelines")
    guard Files.isDirectory(pipelines) else { return [] }
    do {
      return try Files.list(pipelines).filter { hasPipeline($0, in: folder) }
    } catch {
      throw DefinitionErrors([DefinitionError(file: "Pipelines", message: error.description)])
    }
  }

  /// Reads a pipeline and everything in its folder.
  /// - Throws: ``DefinitionErrors``, every mistake found in its files, or that there is no such pipeline.
  public func pipeline(named name: String) throws(DefinitionErrors) -> Pipeline {
    // Who reads all of a thousand does not list them for each.
    let isThere = datasets.map { $0.contains(name) } ?? Self.hasPipeline(name, in: folder)
    if isThere {
      return try Pipeline.load(Path.join(folder, "Pipelines/\(name)"), shownAs: "Pipelines/\(name)")
    }
    if try everyPipelineName.contains(name) {
      throw DefinitionErrors([
        DefinitionError(
          file: Project.fileName, message: "the dataset '\(name)' is not among the 'datasets'",
          hint: "add it to them, and run 'rivulet migrate up'")
      ])
    }
    throw DefinitionErrors([
      DefinitionError(
        file: "Pipelines", message: "there is no pipeline '\(name)'",
        hint: NearestName.hint(name, among: try pipelineNames, called: "there are"))
    ])
  }

  private static func hasPipeline(_ name: String, in folder: String) -> Bool {
    Path.name(name) == name && ![".", ".."].contains(name)
      && Files.exists(Path.join(folder, "Pipelines/\(name)/pipeline.yaml"))
  }

  /// Reads all pipelines whose datasets are used, in the order of their names.
  /// - Throws: ``DefinitionErrors``, every mistake found in any file, and names that two of them claim.
  public func pipelines() throws(DefinitionErrors) -> [Pipeline] {
    var found: [Pipeline] = []
    var errors: [DefinitionError] = []
    for name in try pipelineNames {
      do throws(DefinitionErrors) {
        found.append(try pipeline(named: name))
      } catch {
        errors += error.errors
      }
    }
    let every = try everyPipelineName
    errors +=
      Datasets.unknownNeeds(of: found, among: every) + Datasets.unknownCurrents(of: found, among: every)
    errors += Self.claimedTwice(found.flatMap { $0.views.map { ($0.name, $0.file) } }, "view")
    errors += Self.claimedTwice(found.flatMap { $0.queries.map { ($0.name, $0.file) } }, "query")
    guard errors.isEmpty else { throw DefinitionErrors(errors) }
    return found
  }

  /// The datasets that are used, each with all that it needs, sorted by name.
  /// - Throws: ``DefinitionErrors``, every mistake found in any file of the pipelines.
  public func datasetsWithNeeds() throws(DefinitionErrors) -> [(name: String, used: [String])] {
    let pipelines = try pipelines()
    return pipelines.map { ($0.name, Datasets.closure(of: $0.name, in: pipelines)) }
  }

  /// Reads the views of all pipelines, in the order of their names, and nothing else of these.
  /// - Throws: ``DefinitionErrors``, every mistake found in the files of views, and names that two claim.
  public func views() throws(DefinitionErrors) -> [ViewDefinition] { try views { _ in true } }

  /// Reads the views of some names, those of them that there are: what is wrong in the file of another one is
  /// not found.
  /// - Throws: ``DefinitionErrors``, every mistake found.
  public func views(named names: Set<String>) throws(DefinitionErrors) -> [ViewDefinition] {
    try views(where: names.contains)
  }

  private func views(where isWanted: (String) -> Bool) throws(DefinitionErrors) -> [ViewDefinition] {
    var found: [ViewDefinition] = []
    var errors: [DefinitionError] = []
    for name in try pipelineNames {
      do throws(DefinitionErrors) {
        let path = "Pipelines/\(name)"
        found += try PipelineFolder(Path.join(folder, path), shownAs: path).views(where: isWanted)
      } catch {
        errors += error.errors
      }
    }
    errors += Self.claimedTwice(found.map { ($0.name, $0.file) }, "view")
    guard errors.isEmpty else { throw DefinitionErrors(errors) }
    return found
  }

  /// A mistake for each name that comes again, in the file where it does.
  private static func claimedTwice(_ claims: [(name: String, file: String)], _ what: String)
    -> [DefinitionError]
  {
    var first: [String: String] = [:]
    return claims.compactMap { name, file in
      guard let earlier = first.updateValue(file, forKey: name) else { return nil }
      return DefinitionError(
        file: file, message: "the \(what) '\(name)' is in \(earlier) already",
        hint: "give one of them another name")
    }
  }

  private static func isZoneName(_ name: String) -> Bool {
    if name == "UTC" { return true }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count >= 2
      && parts.allSatisfy {
        !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
      }
  }
}

extension Pipeline {
  /// Reads a pipeline's folder.
  /// - Parameters:
  ///   - folder: the folder with `pipeline.yaml`.
  ///   - shownAs: the folder as errors name it; the path itself when nil.
  /// - Returns: the pipeline.
  /// - Throws: ``DefinitionErrors``, every mistake found in its files.
  public static func load(
    _ folder: String, shownAs: String? = nil
  ) throws(DefinitionErrors) -> Pipeline {
    try PipelineFolder(folder, shownAs: shownAs ?? folder).load()
  }
}

/// How changes of tables are captured that Citus distributes.
private enum ClusterCapture: String, CaseIterable {
  case shards
}
