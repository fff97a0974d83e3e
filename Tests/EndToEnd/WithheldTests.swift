import PostgreSQL
import TestSupport
import Testing

/// Values that only a broken file brings where they are not meant to be.
@Suite("What is sensitive in a broken file")
struct WithheldTests {
  private static let canary = Program.canary

  /// A source whose key is sensitive, one that reads the same file and has no sensitive column, and one of trees.
  private static let project = [
    "rivulet.yaml": "project: own\ntime_zone: UTC\n",
    "Pipelines/items/pipeline.yaml": """
    pipeline: items
    release:
      from: [{in: archive-name, pattern: 'items(\\d{2})([a-d])', name: '20$1$2'}]
      effective: [{pattern: '(\\d{4})[A-D]', from: '$1-01-01'}]
    sources:
      - {name: items, entries: 'ITEM*', formats: [csv], layouts: items, target: own.item, key: [code],
         optional: true}
      - {name: prices, entries: '*', formats: [csv], layouts: prices, target: own.price, key: [place],
         optional: true}
      - {name: things, entries: 'THING*', formats: [ndjson, json, xml], layouts: things, target: own.thing,
         key: [code], optional: true}
    publish: release
    """,
    "Pipelines/items/layouts/items.yaml": OwnProject.layout(
      "items", "name: code, csv: CODE, type: text, required: true, sensitive: true",
      "name: words, csv: WORDS, type: text", "name: price, csv: PRICE, type: 'decimal(8,2)'"),
    "Pipelines/items/layouts/prices.yaml": OwnProject.layout(
      "prices", "name: place, from: record-number, type: integer",
      "name: price, csv: PRICE, type: 'decimal(8,2)'"),
    "Pipelines/items/layouts/things.yaml": OwnProject.layout(
      "things", "name: code, json: code, type: text, required: true, sensitive: true",
      "name: price, json: price, type: 'decimal(8,2)'"),
    "Migrations/0001_own.sql": OwnProject.migration(
      "own",
      making: OwnProject.table("own.item", "code text, words text, price numeric(8,2)", key: "code")
        + OwnProject.table("own.price", "place int, price numeric(8,2)", key: "place")
        + OwnProject.table("own.thing", "code text, price numeric(8,2)", key: "code")),
  ]

  private static let migrated = Result { try Loaded.database(of: project) }

  /// A file, and what is wrong with it.
  private static let files: [(String, String, String)] = {
    let head = "CODE,WORDS,PRICE\n"
    let good = (0..<5_000).map { "<t><code>\(canary)-\($0)</code></t>" }.joined()
    return [
      ("no header", "ITEM.csv", "\(canary)-a,\(canary) b,1\n\(canary)-b,\(canary) c,2\n"),
      ("a title above the header", "ITEM.csv", "\(canary)\n" + head + "\(canary)-a,x,y\n"),
      ("a key twice", "ITEM.csv", head + "\(canary)-a,b,1\n\(canary)-a,c,1\n"),
      (
        "fields that have moved", "ITEM.csv", head + "a,b,\(canary)-1\n\(canary),1\n\(canary),b,1,\(canary)\n"
      ),
      ("quotes", "ITEM.csv", head + "\"\(canary)-a,b,1\n\(canary)\"x,b,1\n"),
      ("a NUL", "ITEM.csv", head + "\(canary)-\u{0},b,1\n"),
      ("a number that is too large", "ITEM.csv", head + "\(canary)-a,b,123456789012345\n"),
      ("properties", "THING.ndjson", "{\"code\":\"a\",\"\(canary)\":{\"\(canary)-q\":[1]}}\n{\"\(canary)\n"),
      ("a property twice", "THING.ndjson", "{\"\(canary)\":\"\(canary)\",\"\(canary)\":\"\(canary)2\"}\n"),
      ("no comma", "THING.json", "[{\"code\":\"\(canary)\" \"\(canary)\"}]"),
      ("an end tag of another name", "THING.xml", "<a><t>\(canary)</\(canary)></a>"),
      ("an entity", "THING.xml", "<a><t><code>a &\(canary);</code></t></a>"),
      ("a tag in a text", "THING.xml", "<a><t><code>a <\(canary) b</code></t></a>"),
      ("an attribute twice", "THING.xml", "<a><t \(canary)='1' \(canary)='2'/></a>"),
      ("an encoding", "THING.xml", "<?xml version='1.0' encoding='\(canary)'?><a/>"),
      ("a prefix", "THING.xml", "<a><\(canary):b/></a>"),
      ("an entity behind many records", "THING.xml", "<a>\(good)<t><code>&\(canary);</code></t></a>"),
    ]
  }()

  @Test("is in no message, and of the ledger only in the record that is kept")
  func withheld() throws {
    let own = try OwnProject(Self.project, on: Self.migrated.get())
    var refused = 0
    for (number, (what, name, text)) in Self.files.enumerated() {
      let folder = "\(number)/items25a"
      try own.scratch.write("\(folder)/\(name)", text)
      for options in [
        ["--max-rejects", "100%", "-v", "--format", "json"], ["--max-rejects", "0", "--log-format", "json"],
      ] {
        let outcome = try own.load("items", folder, options: options + ["--force"])
        #expect([0, 3].contains(outcome.status), "\(what): \(outcome.errors)")
        #expect(!(outcome.output + outcome.errors).contains(Self.canary), "\(what): \(outcome.errors)")
        if outcome.status == 3 { refused += 1 }
      }
    }
    #expect(refused >= Self.files.count)
    for run in try own.rows("SELECT run FROM rivulet.run ORDER BY run") {
      for command in [["rejects", "list"], ["runs", "show"]] {
        let outcome = try own.program.run(command + [run, "--format", "json"] + own.project)
        #expect(!outcome.output.contains(Self.canary), "\(outcome.output)")
      }
    }
    let tables = """
      SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'rivulet'::regnamespace
        AND query_to_xml(format('SELECT to_jsonb(t) - ''raw'' FROM %s t', oid::regclass), false, true, '')::text
          LIKE '%\(Self.canary)%'
      """
    #expect(try own.rows(tables) == [])
    #expect(try own.rows("SELECT DISTINCT rule FROM rivulet.reject ORDER BY 1").contains("not-a-decimal"))
    #expect(try !TestServer.shared.log().contains("\(Self.canary)-1"))
  }

  @Test("is withheld in a replay of what was exported as in the load")
  func replayed() throws {
    let own = try OwnProject(Self.project, on: Self.migrated.get())
    try own.scratch.write("items25a/ITEM.csv", "CODE,WORDS,PRICE\na,b,\(Self.canary)-1\nc,d,5\n")
    let refused = ["--max-rejects", "100%", "-v"]
    try own.load("items", "items25a", options: refused).succeeded()
    let exported = own.scratch.path + "/again"
    try own.program.run(["rejects", "export", "1", "-o", exported] + own.project).succeeded()
    let outcome = try own.program.run(["rejects", "replay", "1", exported] + refused + own.project)
      .succeeded()
    #expect(outcome.errors.contains("not-a-decimal in price of prices"), "\(outcome.errors)")
    #expect(!(outcome.output + outcome.errors).contains(Self.canary), "\(outcome.errors)")
    #expect(try own.rows("SELECT count(*) FROM rivulet.reject WHERE value IS NULL") == ["4"])
  }
}
