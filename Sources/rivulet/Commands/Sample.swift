import Definitions
import PipelineCore
import Progress
import Reporting
import Sampler
import Values

let sampleCommand = Command(
  name: "sample", summary: "Writes a synthetic bundle in the publisher's exact layout",
  discussion: """
    The same pipeline, rows, seed, release, formats and quirks give the same bytes on every machine. A quirk is a \
    way in which real files differ from their layout, such as bare-cr, ctrl-z or int-codes; '--quirk list' says \
    what each does and names those of the pipeline's own. 'name:source' puts a quirk into the files of one source. \
    Quirks of every pipeline: \(GeneralQuirk.allCases.map(\.rawValue).joined(separator: ", ")).
    """,
  arguments: [Argument("PIPELINE", "the pipeline")],
  options: [
    Option(
      "--output", short: "-o", value: "FILE", "the bundle to write: a zip, or a folder (DIR/) for loose files"
    ),
    Option("--rows", value: "N", "rows of the main table"),
    Option("--seed", value: "N", "decides the values (default 1)"),
    Option("--release", value: "ID", "the release it shall be, such as 2025D"),
    Option("--quirk", value: "NAME,...", "in which ways the files differ, or 'list'"),
    Option(
      "--formats", value: "FORMAT,...",
      "of csv, txt, xlsx, ndjson, json, those of each table (default: what the quirks need)"),
    Option("--without", value: "SOURCE,...", "tables that are left out"),
  ],
  examples: [
    "rivulet sample cms-rvu -o RVU25D.zip --rows 1000",
    "rivulet sample cms-rvu -o RVU25D.zip --formats xlsx --quirk int-codes,ctrl-z --without oppscap",
    "rivulet sample rvutrack -o EXPORTS/ --rows 1000000 --formats ndjson",
    "rivulet sample cms-rvu --quirk list",
  ],
  run: { try sample($0, $1) })

private func sample(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  let sampler = try Sampler.load(pipeline)
  let quirks = invocation.list("--quirk")
  if quirks == ["list"] { return try list(sampler.quirks, session) }
  guard let output = invocation["--output"] else {
    throw invocation.usage("-o FILE is missing: the bundle to write")
  }
  let seed = try invocation.integer("--seed") ?? 1
  let formats = try invocation.has("--formats") ? formats(invocation) : nil
  let rows = try invocation.integer("--rows", atLeast: 1)
  let work = WorkProgress(of: "bundles")
  let entries = try session.showing(work) {
    try sampler.write(
      to: output, rows: rows, seed: UInt64(seed), release: invocation["--release"], formats: formats,
      quirks: quirks, without: invocation.list("--without"), progress: work)
  }
  let table = TextTable(
    ["entry", "source", .right("bytes")], entries.map { [$0.name, $0.source ?? "", $0.bytes.grouped] })
  try session.answer(
    json: [
      "pipeline": pipeline.name, "file": output, "seed": seed,
      "entries": JSON.array(of: entries) { ["entry": $0.name, "source": $0.source, "bytes": $0.bytes] },
    ],
    text: table.text)
  return ExitCode.done
}

/// The quirks that a sample can have, with a line for each.
private func list(
  _ quirks: [(name: String, summary: String, formats: [SampleFormat])], _ session: Session
) throws -> Int32 {
  let table = TextTable(
    ["quirk", "formats", .prose("what it does")],
    quirks.map { [$0.name, $0.formats.map(\.rawValue).joined(separator: " "), $0.summary] })
  try session.answer(
    json: [
      "quirks": JSON.array(of: quirks) { quirk in
        [
          "quirk": quirk.name, "summary": quirk.summary,
          "formats": quirk.formats.map(\.rawValue),
        ]
      }
    ],
    text: table.text)
  return ExitCode.done
}

private func formats(_ invocation: Invocation) throws -> [SampleFormat] {
  try invocation.list("--formats").map { name in
    guard let format = SampleFormat(rawValue: name.lowercased()) else {
      let known = SampleFormat.allCases.map(\.rawValue)
      throw invocation.usage(
        "unknown format '\(name)'; " + (NearestName.hint(name, among: known, called: "known") ?? ""))
    }
    return format
  }
}

extension Invocation {
  /// The names that an option lists, parted by commas.
  fileprivate func list(_ option: String) -> [String] {
    (self[option] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
  }
}
