import Host
import Values

/// Reads everything in a pipeline's folder and looks up what the files say of each other.
final class PipelineFolder {
  private let path: String
  private let shownAs: String
  private let name: String
  private var errors: [DefinitionError] = []

  init(_ path: String, shownAs: String) {
    self.path = path
    self.shownAs = shownAs
    name = Path.name(path)
  }

  func load() throws(DefinitionErrors) -> Pipeline {
    let file = DefinitionFile("\(shownAs)/pipeline.yaml")
    let bytes = file.bytes(at: Path.join(path, "pipeline.yaml"))
    let outline = bytes.flatMap { file.tree($0) }.flatMap { PipelineOutline($0, in: file) }
    var layouts = layouts()
    let sources = sources(outline, layouts: layouts, in: file)
    let lists = lists(of: layouts)
    if !lists.isEmpty, outline != nil, outline?.listTable == nil {
      file.report(
        "the layouts name code lists, so that the key 'lists' is needed", at: Mark(line: 1, column: 1),
        hint: "write the table that they are kept in, such as cms.code_list")
    }
    let checks = checks(outline, targets: targets(outline, layouts: layouts), in: file)
    let views = viewDefinitions()
    let queries = definitions("queries", kind: "sql") { QueryDefinition($0, named: $1, in: $2) }
    let diff = outline?.diff?.rule(queries: queries, known: names(in: "queries", kind: "sql"), in: file)
    if let written = outline?.name, written.value != name {
      file.report("the pipeline is called '\(written.value)', its folder '\(name)'", at: written.mark)
    }
    errors += file.errors
    guard errors.isEmpty, let outline, let release = outline.release else { throw DefinitionErrors(errors) }
    if outline.publishing == .merge { layouts = layouts.mapValues { $0.merging() } }
    var pipeline = Pipeline(
      name: name, title: outline.title, release: release, periods: outline.periods, sources: sources,
      checks: checks,
      rejects: outline.rejects, publishing: outline.publishing, fetch: outline.fetch, layouts: layouts,
      lists: lists,
      listTable: outline.listTable?.value, views: views,
      queries: queries, diff: diff ?? DiffRule(), definitionHash: try hash(lists: lists.keys.sorted()),
      folder: path)
    (pipeline.documents, pipeline.index) = (outline.documents, outline.index)
    let own = pipeline.gateRules.filter { $0.subject != .check }.map(\.name)
    for rule in outline.checks.compactMap(\.rule) where own.contains(rule.value) {
      file.report(
        "'\(rule.value)' is the name of a rule of the program's own", at: rule.mark,
        hint: "give the check and its file another name")
    }
    try file.check()
    return pipeline
  }

  /// The views alone, of those the ones whose name is wanted.
  func views(where isWanted: (String) -> Bool) throws(DefinitionErrors) -> [ViewDefinition] {
    let views = viewDefinitions(where: isWanted)
    guard errors.isEmpty else { throw DefinitionErrors(errors) }
    return views
  }

  private func viewDefinitions(where isWanted: (String) -> Bool = { _ in true }) -> [ViewDefinition] {
    definitions("views", kind: "sql", where: isWanted) { ViewDefinition($0, named: $1, in: $2) }
  }

  /// The tables that checks may read; nil where that is not known.
  private func targets(_ outline: PipelineOutline?, layouts: [String: Layout]) -> [String]? {
    guard let outline, outline.namesTargets else { return nil }
    return outline.sources.flatMap { source in
      let versions = source.layout.flatMap { layouts[$0.value] }?.versions ?? []
      return [source.target?.value].compactMap(\.self) + versions.flatMap { $0.children.map(\.target) }
    }
  }

  /// The code lists that columns of the layouts name, from the project's `Data/lists`.
  private func lists(of layouts: [String: Layout]) -> [String: CodeList] {
    var lists: [String: CodeList] = [:]
    let names = Set(layouts.values.flatMap(\.versions).flatMap(\.everyColumn).compactMap(\.list))
    for name in names.sorted() {
      let file = DefinitionFile(Self.listFile(name))
      let bytes = file.bytes(at: listPath(name))
      lists[name] = bytes.flatMap { file.tree($0) }.flatMap { CodeList($0, named: name, in: file) }
      errors += file.errors
    }
    return lists
  }

  private static func listFile(_ name: String) -> String { "Data/lists/\(name).yaml" }

  private func listPath(_ name: String) -> String {
    Path.join(Path.parent(Path.parent(path)), Self.listFile(name))
  }

  private func layouts() -> [String: Layout] {
    let layouts = definitions("layouts", kind: "yaml") { bytes, name, file in
      file.tree(bytes).flatMap { Layout($0, named: name, in: file) }
    }
    reportStrayVersions()
    return Dictionary(layouts.map { ($0.name, withFurtherVersions($0)) }) { first, _ in first }
  }

  /// Reports folders of further versions that are no layout's.
  private func reportStrayVersions() {
    let known = names(in: "layouts", kind: "yaml")
    let folder = Path.join(path, "layouts")
    // A folder that cannot be read was reported with its files.
    for name in (try? Files.list(folder)) ?? [] where !known.contains(name) && !name.hasPrefix(".") {
      guard Files.isDirectory(Path.join(folder, name)) else { continue }
      errors.append(
        DefinitionError(
          file: "\(shownAs)/layouts/\(name)",
          message: "there is no layout '\(name)' for further versions to be of",
          hint: NearestName.hint(name, among: known, called: "there are")))
    }
  }

  /// The layout with the versions of the files in `layouts/<layout>`, which come before its own: the last
  /// version is the one that samples are made of.
  private func withFurtherVersions(_ layout: Layout) -> Layout {
    var whole = layout
    var further: [LayoutVersion] = []
    for (name, versions) in definitions(
      "layouts/\(layout.name)", kind: "yaml",
      read: { bytes, name, file in
        file.tree(bytes).flatMap { Layout($0, named: layout.name, in: file) }.map { (name, $0.versions) }
      })
    {
      for version in versions where (layout.versions + further).contains(where: { $0.name == version.name }) {
        errors.append(
          DefinitionError(
            file: "\(shownAs)/layouts/\(layout.name)/\(name).yaml",
            message: "the layout '\(layout.name)' has a version '\(version.name)' already"))
      }
      further += versions
    }
    whole.versions = further + layout.versions
    return whole
  }

  private func sources(
    _ outline: PipelineOutline?, layouts: [String: Layout], in file: DefinitionFile
  ) -> [Source] {
    let known = names(in: "layouts", kind: "yaml")
    let targets = targets(outline, layouts: layouts)
    return outline?.sources.compactMap { source in
      source.source(layouts: layouts, known: known, in: file) { name in
        template(name, in: "amendments", isScript: true, targets: targets, of: file).map {
          Amendment(name: name.value, template: $0.template, file: $0.file)
        }
      }
    } ?? []
  }

  private func checks(
    _ outline: PipelineOutline?, targets: [String]?, in file: DefinitionFile
  ) -> [Check] {
    (outline?.checks ?? []).compactMap { check in
      guard let rule = check.rule, let sql = template(rule, in: "checks", targets: targets, of: file) else {
        return nil
      }
      return Check(
        rule: rule.value, severity: check.severity, allowed: check.allowed, source: check.source?.value,
        template: sql.template, file: sql.file)
    }
  }

  /// Reads the SQL file that `pipeline.yaml` names, in which `{schema.table}` means staged tables.
  private func template(
    _ name: Marked<String>, in folder: String, isScript: Bool = false, targets: [String]?,
    of file: DefinitionFile
  ) -> (template: SQLTemplate, file: String)? {
    let known = names(in: folder, kind: "sql")
    guard known.contains(name.value) else {
      file.report(
        "there is no \(folder)/\(name.value).sql", at: name.mark,
        hint: NearestName.hint(name.value, among: known, called: "there are"))
      return nil
    }
    let sqlFile = DefinitionFile("\(shownAs)/\(folder)/\(name.value).sql")
    defer { errors += sqlFile.errors }
    guard let bytes = sqlFile.bytes(at: Path.join(path, "\(folder)/\(name.value).sql")) else { return nil }
    let template = SQLTemplate(
      String(decoding: bytes, as: UTF8.self), firstLine: 1, isScript: isScript, in: sqlFile)
    if let targets {
      template.report(unknownTo: targets, called: "table", listed: "the sources load", in: sqlFile)
    }
    return (template, sqlFile.name)
  }

  /// Reads every file of a kind in a folder whose name is wanted.
  private func definitions<Definition>(
    _ folder: String, kind: String, where isWanted: (String) -> Bool = { _ in true },
    read: ([UInt8], String, DefinitionFile) -> Definition?
  ) -> [Definition] {
    names(in: folder, kind: kind).filter(isWanted).compactMap { name in
      let file = DefinitionFile("\(shownAs)/\(folder)/\(name).\(kind)")
      let bytes = file.bytes(at: Path.join(path, "\(folder)/\(name).\(kind)"))
      let definition = bytes.flatMap { read($0, name, file) }
      errors += file.errors
      return definition
    }
  }

  /// The names, without extension, of the files of a kind in a folder; none when there is no such folder.
  private func names(in folder: String, kind: String) -> [String] {
    let path = Path.join(path, folder)
    guard Files.isDirectory(path) else { return [] }
    let files: [String]
    do {
      files = try Files.list(path)
    } catch {
      // A folder that cannot be read is not one that is empty.
      let problem = DefinitionError(file: "\(shownAs)/\(folder)", message: error.description)
      if !errors.contains(problem) { errors.append(problem) }
      return []
    }
    return files.filter { $0.hasSuffix(".\(kind)") && !$0.hasPrefix(".") }.map {
      String($0.dropLast(kind.count + 1))
    }
  }

  /// The digest over what decides what is loaded.
  ///
  /// Each file goes in with its name and its length, so that
  /// no text can pass from one file to another unseen.
  private func hash(lists: [String]) throws(DefinitionErrors) -> String {
    var hash = SHA256()
    let layouts = names(in: "layouts", kind: "yaml")
    let own =
      names(in: "amendments", kind: "sql").map { "amendments/\($0).sql" }
      + names(in: "checks", kind: "sql").map { "checks/\($0).sql" }
      + layouts.map { "layouts/\($0).yaml" }
      + layouts.flatMap { layout in
        names(in: "layouts/\(layout)", kind: "yaml").map { "layouts/\(layout)/\($0).yaml" }
      } + ["pipeline.yaml"]
    let files =
      own.map { ($0, shown: "\(shownAs)/\($0)", path: Path.join(path, $0)) }
      + lists.map { (Self.listFile($0), shown: Self.listFile($0), path: listPath($0)) }
    for (relative, shown, path) in files {
      let file = DefinitionFile(shown)
      guard let bytes = file.bytes(at: path) else { throw DefinitionErrors(file.errors) }
      hash.update(Array("\(relative)\n\(bytes.count)\n".utf8).span)
      hash.update(bytes.span)
    }
    return hash.hexadecimal()
  }
}
