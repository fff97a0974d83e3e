import Definitions
import Reporting
import Sampler
import Values

let sampleCommand = Command(
  name: "sample", summary: "Writes a synthetic bundle in the publisher's exact layout",
  discussion: "The same pipeline, rows, seed and release give the same bytes on every machine.",
  arguments: [Argument("PIPELINE", "the pipeline")],
  options: [
    Option("--output", short: "-o", value: "FILE", "the bundle to write"),
    Option("--rows", value: "N", "rows of the main table"),
    Option("--seed", value: "N", "decides the values (default 1)"),
    Option("--release", value: "ID", "the release it shall be, such as 2025D"),
  ],
  examples: ["rivulet sample cms-rvu -o RVU25D.zip --rows 1000"],
  run: { try sample($0, $1) })

private func sample(_ invocation: Invocation, _ session: Session) throws -> Int32 {
  guard let output = invocation["--output"] else {
    throw invocation.usage("-o FILE is missing: the bundle to write")
  }
  let pipeline = try session.project().pipeline(named: invocation.arguments[0])
  let seed = try invocation.integer("--seed") ?? 1
  let entries = try Sampler.load(pipeline).write(
    to: output, rows: try invocation.integer("--rows", atLeast: 1), seed: UInt64(seed),
    release: invocation["--release"])
  var table = TextTable([("entry", .left), ("source", .left), ("bytes", .right)])
  for entry in entries { table.add([entry.name, entry.source, entry.bytes.grouped]) }
  try session.answer(
    json: .object([
      ("pipeline", .string(pipeline.name)), ("file", .string(output)), ("seed", .integer(seed)),
      (
        "entries",
        .array(
          entries.map {
            .object([
              ("entry", .string($0.name)), ("source", .string($0.source)), ("bytes", .integer($0.bytes)),
            ])
          })
      ),
    ]),
    text: table.text)
  return ExitCode.done
}
