import Host
import Values

/// Reads everything in a pipeline's folder and looks up what the files say of each other.
final class PipelineFolder {
  /// `pipeline.yaml`.
  let file: DefinitionFile
  /// How the pipeline publishes, and whether it has periods: what the sources must fit.
  private(set) var publishing = Pipeline.Publishing.release
  private(set) var hasPeriods = false
  /// The sources that are to name rows of others, with the columns for it.
  var namers: [(name: Marked<String>, columns: [String])] = []

  private let path: String
  private let shownAs: String
  private let name: String
  private var layouts: [String: Layout] = [:]
  private var errors: [DefinitionError] = []

  init(_ path: String, shownAs: String) {
    self.path = path
    self.shownAs = shownAs
    name = Path.name(path)
    file = DefinitionFile("\(shownAs)/pipeline.yaml")
  }

  func load() throws(DefinitionErrors) -> Pipeline {
    layouts = readLayouts()
    let lists = lists(of: layouts)
    let views = viewDefinitions()
    let queries = definitions("queries", kind: "sql") { QueryDefinition($0, named: $1, in: $2) }
    let node = file.bytes(at: Path.join(path, "pipeline.yaml")).flatMap { file.tree($0) }
    let found = node.flatMap { pipeline($0, lists: lists, views: views, queries: queries) }
    errors += file.errors
    let report = definitions("report", kind: "sql") { ReportPart($0, named: $1, in: $2) }
    guard errors.isEmpty, var pipeline = found else { throw DefinitionErrors(errors) }
    pipeline.report = report.sorted { ($0.order, $0.name) < ($1.order, $1.name) }
    pipeline.definitionHash = try hash(lists: lists.keys.sorted())
    return pipeline
  }

  /// Reads `pipeline.yaml`; what it lacks was reported, and something else is in its place.
  private func pipeline(
    _ node: YAMLNode, lists: [String: CodeList], views: [ViewDefinition], queries: [QueryDefinition]
  ) -> Pipeline? {
    let keys = [
      "pipeline", "title", "release", "sources", "lists", "checks", "rejects", "publish", "fetch", "diff",
      "periods", "documents", "index", "synthetic", "needs",
    ]
    guard let fields = Fields(node, of: "a pipeline", keys: keys, in: file) else { return nil }
    let written = fields.needText("pipeline")
    NameRule.kebab.check(written, called: "a pipeline's name", in: file)
    if let written, written.value != name {
      file.report("the pipeline is called '\(written.value)', its folder '\(name)'", at: written.mark)
    }
    fields.need("publish")
    publishing = fields.choice("publish", of: "way to publish") ?? .release
    let periods = fields.node("periods").flatMap { PeriodRule($0, in: file) }
    hasPeriods = periods != nil
    let read = fields.needList("sources").compactMap { Source.read($0, in: self) }
    reportRepeats(read.compactMap(\.name), called: "a source", in: file)
    reportRepeats(read.compactMap(\.target), called: "the table", in: file)
    let (sources, names) = (read.map(\.source), read.compactMap { $0.name?.value })
    let checks = (fields.list("checks") ?? []).compactMap { Check.read($0, sources: names, in: self) }
    reportRepeats(checks.compactMap(\.rule), called: "a check", in: file)
    let listTable = fields.text("lists")
    NameRule.qualified.check(listTable, called: "a table", in: file)
    if !lists.isEmpty, listTable == nil {
      file.report(
        "the layouts name code lists, so that the key 'lists' is needed", at: Mark(line: 1, column: 1),
        hint: "write the table that they are kept in, such as cms.code_list")
    }
    let columns = sources.flatMap(\.key)
    let pipeline = Pipeline(
      name: name, title: fields.text("title")?.value ?? written?.value ?? "",
      release: release(fields, sources: names), periods: periods, sources: sources,
      checks: checks.compactMap(\.check),
      rejects: fields.node("rejects").flatMap { RejectLimit($0, in: file) } ?? .count(0),
      publishing: publishing, fetch: fields.node("fetch").flatMap { FetchRule($0, in: file) },
      layouts: publishing == .merge ? layouts.mapValues { $0.merging() } : layouts, lists: lists,
      listTable: listTable?.value, views: views, queries: queries,
      diff: fields.node("diff").flatMap { DiffRule($0, columns: columns, queries: queries, in: self) }
        ?? DiffRule(),
      definitionHash: "", folder: path,
      documents: (fields.texts("documents") ?? []).compactMap { Glob($0, in: file) },
      index: fields.node("index").flatMap { BundleIndex($0, sources: names, in: file) },
      synthetic: fields.text("synthetic").flatMap { TextPattern($0, in: file) },
      needs: (fields.texts("needs") ?? []).map(\.value))
    reportNamers(of: pipeline)
    reportUnknownTables(of: pipeline)
    for item in checks {
      reportBlanked(item.blanks, by: item.check, of: pipeline)
      reportTaking(item.rule, by: item.check, of: pipeline)
    }
    if errors.isEmpty, file.errors.isEmpty { reportOwnRules(checks.compactMap(\.rule), of: pipeline) }
    return pipeline
  }

  private func release(_ fields: Fields, sources: [String]) -> ReleaseRule {
    guard publishing != .merge else {
      for key in ["release", "periods", "diff", "fetch"] where fields.has(key) {
        file.report("what is merged into plain tables has no '\(key)'", at: fields.mark(of: key))
      }
      return ReleaseRule()
    }
    fields.need("release")
    return fields.node("release").flatMap { ReleaseRule($0, sources: sources, in: file) } ?? ReleaseRule()
  }

  /// Reports sources that are to name rows of others, and are none or lack the columns for it.
  private func reportNamers(of pipeline: Pipeline) {
    for (name, columns) in namers {
      guard let source = pipeline.sources.first(where: { $0.name == name.value }) else {
        file.report(
          "unknown source '\(name.value)'", of: name, among: pipeline.sources.map(\.name), called: "known")
        continue
      }
      for version in pipeline.layout(of: source)?.versions ?? [] {
        let stored = version.columns.filter(\.isStored).map(\.name)
        guard let lacking = columns.first(where: { !stored.contains($0) }) else { continue }
        file.report(
          "the source '\(name.value)' has no column '\(lacking)' in version \(version.name)", at: name.mark,
          hint: NearestName.hint(lacking, among: stored, called: "it has"))
      }
    }
  }

  /// Reports placeholders in the SQL of checks and amendments that are no table of the sources, where all of
  /// these name their tables rightly.
  private func reportUnknownTables(of pipeline: Pipeline) {
    guard pipeline.sources.allSatisfy({ NameRule.qualified.allows($0.target) }) else { return }
    let amendments = pipeline.sources.flatMap { [$0.amendment, $0.change] }.compactMap(\.self)
    let templates =
      pipeline.checks.map { ($0.template, $0.file, isBraced: $0.condition == nil) }
      + amendments.map { ($0.template, $0.file, isBraced: true) }
    for (template, name, isBraced) in templates {
      let file = DefinitionFile(name)
      template.report(
        unknownTo: pipeline.targets, called: "table", listed: "the sources load", isBraced: isBraced, in: file
      )
      errors += file.errors
    }
  }

  /// Reports a column that a check would leave blank and its source does not have, or cannot be without.
  private func reportBlanked(_ column: Marked<String>?, by check: Check?, of pipeline: Pipeline) {
    guard let column, let source = pipeline.sources.first(where: { $0.name == check?.source }),
      let layout = pipeline.layout(of: source)
    else { return }
    let names = layout.versions.flatMap(\.columns).filter {
      $0.isStored && !$0.isRequired && !source.key.contains($0.name)
    }.map(\.name)
    if !names.contains(column.value) {
      file.report(
        "'\(column.value)' is no column of \(source.name) that may be blank", of: column, among: names,
        called: "there are")
    }
  }

  /// Reports a check that takes records out of rows that several records are folded to.
  private func reportTaking(_ rule: Marked<String>?, by check: Check?, of pipeline: Pipeline) {
    guard let rule, let check, check.severity == .reject || check.severity == .skip,
      let source = pipeline.sources.first(where: { $0.name == check.source }),
      let version = pipeline.layout(of: source)?.versions.first(where: \.isFolded)
    else { return }
    file.report(
      "'\(rule.value)' takes records out, and version \(version.name) of the layout '\(source.layout)' folds several "
        + "of them to one row", at: rule.mark,
      hint: "let it warn or fail, or take 'fold' out")
  }

  private func reportOwnRules(_ rules: [Marked<String>], of pipeline: Pipeline) {
    let own = pipeline.gateRules.filter { $0.subject != .check }.map(\.name)
    for rule in rules where own.contains(rule.value) {
      file.report(
        "'\(rule.value)' is the name of a rule of the program's own", at: rule.mark,
        hint: "give the check and its file another name")
    }
  }

  /// The datasets that this one needs, and nothing else of it; none where the file has mistakes, which are
  /// found when it is read for good.
  func needs() -> [String] {
    guard let bytes = try? Files.read(Path.join(path, "pipeline.yaml")), let node = file.tree(bytes),
      case .mapping(let entries) = node.content,
      let fields = Fields(node, of: "a pipeline", keys: entries.map(\.key), in: file)
    else { return [] }
    return (fields.texts("needs") ?? []).map(\.value)
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

  private func readLayouts() -> [String: Layout] {
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

  /// The layout of a name; nil, with a mistake reported, where there is no such file, and where it is wrong.
  func layout(_ name: Marked<String>) -> Layout? {
    has(name, in: "layouts", kind: "yaml") ? layouts[name.value] : nil
  }

  /// Whether there is a file that `pipeline.yaml` names; reports where there is none.
  func has(_ name: Marked<String>, in folder: String, kind: String) -> Bool {
    let known = names(in: folder, kind: kind)
    if known.contains(name.value) { return true }
    file.report("there is no \(folder)/\(name.value).\(kind)", of: name, among: known, called: "there are")
    return false
  }

  /// Reads what a source does to other tables.
  func amendment(_ name: Marked<String>) -> Amendment? {
    template(name, in: "amendments", isScript: true).map {
      Amendment(name: name.value, template: $0.template, file: $0.file)
    }
  }

  /// Reads the SQL file that `pipeline.yaml` names, in which `{schema.table}` means staged tables.
  func template(
    _ name: Marked<String>, in folder: String, isScript: Bool = false
  ) -> (template: SQLTemplate, file: String)? {
    guard has(name, in: folder, kind: "sql") else { return nil }
    let sqlFile = DefinitionFile("\(shownAs)/\(folder)/\(name.value).sql")
    defer { errors += sqlFile.errors }
    guard let bytes = sqlFile.bytes(at: Path.join(path, "\(folder)/\(name.value).sql")) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return (SQLTemplate(text, firstLine: 1, isScript: isScript, in: sqlFile), sqlFile.name)
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
  func names(in folder: String, kind: String) -> [String] {
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
