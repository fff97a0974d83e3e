import Definitions
import ViewEngine

/// What describes pipelines, views and the project.
extension FuzzedReader {
  static let definitions = [
    FuzzedReader("yaml", words: yamlWords) { input, _ in
      _ = try YAMLReader.read(input.rest, file: "a.yaml")
    },
    FuzzedReader("project", words: yamlWords + projectWords) { input, folder in
      try folder.put([("rivulet.yaml", input.rest), ("Pipelines/a/pipeline.yaml", []), ("Migrations/a", [])])
      _ = try Project.load(folder.path)
    },
    FuzzedReader("pipeline", longest: 8192, words: yamlWords + pipelineWords) { input, folder in
      let files = input.files.map { ("a/" + $0.name, $0.bytes) }
      try folder.put(files)
      _ = try Pipeline.load(folder.path + "/a")
    },
    FuzzedReader("view", words: yamlWords + viewWords) { input, folder in
      let (project, pipeline) = ("project: a\ntime_zone: UTC\n", "Pipelines/a/pipeline.yaml")
      try folder.put([
        ("rivulet.yaml", [UInt8](project.utf8)), (pipeline, []), ("Pipelines/a/views/a.b.sql", input.rest),
      ])
      for view in try Project.load(folder.path).views() {
        for source in view.sources { _ = try? SumsShape(view, of: source.name.value) }
      }
    },
  ]

  private static let yamlWords = [
    ": ", "- ", "|\n", ">\n", "'", "\"", "#", "{", "}", "[", "]", "&a", "*a", "!t", "---\n", "~", "null",
    "\\x41", "? ", "\t", "%YAML 1.1\n", "\u{FEFF}",
  ]

  private static let projectWords = [
    "project: ", "time_zone: ", "datasets: ", "queue_limit: ", "drift:\n", "migrations:\n", "nightly:\n",
    "fetch: ", "watch: ", "mail: ", "keep: ", "ignore: ", "UTC", "America/New_York", "Migrations",
    "3 months", "1 GB",
  ]

  private static let pipelineWords = [
    "\u{1}pipeline.yaml\n", "\u{1}layouts/a.yaml\n", "\u{1}views/a.b.sql\n", "\u{1}queries/q.sql\n",
    "\u{1}report/1-r.sql\n", "\u{1}checks/c.sql\n", "\u{1}amendments/m.sql\n", "/* rivulet view\n",
    "/* rivulet query\n", "*/\n", "SELECT ", "{keys}", "{release}", "\u{1}",
  ]

  private static let viewWords = [
    "/* rivulet view\n", "*/\n", "strategy: incremental\n", "key: [a]\n", "sources:\n",
    "grants: {r: select}\n", "{keys} k", "SELECT ", "FROM ", "JOIN app.fee f ON ", " WHERE ", "GROUP BY ",
    "count(*)", "count(DISTINCT ", "sum(", "max(", "FILTER (WHERE ", "CASE WHEN ", "USING (", "LEFT JOIN ",
    "EXISTS (", " AS ", "HAVING ", "::int",
  ]
}
