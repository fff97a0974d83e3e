import Host

/// Folders of migrations that are read as one and have a history of their own: one of `migrations` in
/// `rivulet.yaml`, or the project's folder `Migrations` where that names none.
public struct MigrationSource: Sendable, Hashable {
  /// The name of its history; empty for the one that has none.
  public var history = ""
  /// The paths of its folders, of one format.
  public var folders: [String]
  /// The schemas that it is run in, each with a history of its own: names with commas between them, or a SELECT;
  /// nil where it says itself where it goes.
  public var schemas: String?
  /// Whether `rivulet.yaml` names it: then its folders may be of another tool's format.
  public var isNamed = true

  /// Folders that are read as one.
  public init(history: String = "", folders: [String], schemas: String? = nil, isNamed: Bool = true) {
    (self.history, self.folders, self.schemas, self.isNamed) = (history, folders, schemas, isNamed)
  }

  /// As people name it: its history, or its folder where that has no name.
  public var label: String { history.isEmpty ? folders.first.map(Path.name) ?? "" : history }
}

extension MigrationSource {
  /// All that the list `migrations` names, in its order.
  static func all(_ fields: Fields, project: String, in file: DefinitionFile) -> [MigrationSource] {
    let nodes = fields.needList("migrations")
    var sources: [MigrationSource] = []
    for node in nodes {
      guard let source = MigrationSource(node, project: project, isAlone: nodes.count == 1, in: file) else {
        continue
      }
      if sources.contains(where: { $0.label == source.label || $0.history == source.history }) {
        file.report(
          source.history.isEmpty
            ? "two of 'migrations' have no 'history'" : "the history '\(source.history)' is named twice",
          at: node.mark, hint: "give each a 'history' of its own")
      }
      sources.append(source)
    }
    return sources
  }

  /// - `project`: the project's folder.
  /// - `isAlone`: there is no other.
  private init?(_ node: YAMLNode, project: String, isAlone: Bool, in file: DefinitionFile) {
    let keys = ["history", "dir", "schema"]
    guard let fields = Fields(node, of: "a folder of migrations", keys: keys, in: file) else { return nil }
    let name = fields.text("history")
    if let name, name.value.contains("/") {
      file.report(
        "a history's name has no / in it", at: name.mark, hint: "that is what comes before a schema")
    }
    fields.need("dir")
    let places = fields.texts("dir") ?? []
    for place in places where !Files.isDirectory(Path.join(project, place.value)) {
      file.report(
        "there is no folder '\(place.value)'", at: place.mark, hint: "make it, in the project's folder")
    }
    let names = fields.texts("schema")
    if let names, name == nil, !isAlone {
      file.report(
        "migrations with a 'schema' beside others need a 'history'", at: names.first?.mark ?? fields.mark,
        hint: "name it: history: tenants")
    }
    history = name?.value ?? ""
    folders = places.map { Path.join(project, $0.value) }
    schemas = names.map { $0.map(\.value).joined(separator: ",") }
  }
}

extension Project {
  /// Its migrations in the order in which they are applied: what `rivulet.yaml` names, else the folder
  /// `Migrations`, in our own format.
  public var migrationSources: [MigrationSource] {
    guard migrations.isEmpty else { return migrations }
    return [MigrationSource(folders: [Path.join(folder, Project.migrationsFolder)], isNamed: false)]
  }

  /// The name of the folder of migrations where `rivulet.yaml` names none.
  static let migrationsFolder = "Migrations"
}
