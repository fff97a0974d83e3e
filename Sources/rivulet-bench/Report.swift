import Glibc
import Host
import PostgreSQL
import Reporting
import Values

/// What was measured in one run of the program.
struct Report {
  let machine: MachineDescription
  /// What was measured with: a real release or a synthetic one.
  let source: String
  var results: [FigureResult] = []
  var peers: [PeerResult] = []
  var skips: [(name: String, reason: String)] = []
  /// Peers that have failed, or whose rows are not ours.
  var refusals: [(name: String, reason: String)] = []

  /// No limit was missed and no peer refused; what was skipped has missed none.
  var hasPassed: Bool { results.allSatisfy(\.hasPassed) && refusals.isEmpty }

  /// For people.
  var text: String {
    var table = TextTable([
      "figure", .right("runs"), .right("ours"), .right("yardstick"), .right("ratio"), "min-max",
      .right("limit"), "", "of",
    ])
    for result in results {
      let spread = result.ratio ?? result.ours
      let digits = result.judged == .median ? 3 : 2
      func measured(_ spread: Spread) -> String {
        "\(spread.median.fixed(result.unit == "MB" ? 1 : 3)) \(result.unit)"
      }
      table.add([
        result.name, "\(result.runs)", measured(result.ours), result.yardstick.map(measured),
        result.ratio.map { $0.median.fixed(2) }, "\(spread.min.fixed(digits))-\(spread.max.fixed(digits))",
        result.limit.fixed(digits), result.hasPassed ? "passed" : "MISSED",
        result.details.map { "\($0.value.grouped) \($0.name)" }.joined(separator: ", "),
      ])
    }
    let skipped = skips.map { "skipped: \($0.name): \($0.reason)\n" }.joined()
    let refused = refusals.map { "REFUSED: \($0.name): \($0.reason)\n" }.joined()
    let tables = [table, peerTable].filter { !$0.isEmpty }.map { $0.text(in: .plain) }
    return machine.text + "with \(source)\n\n" + tables.joined(separator: "\n") + skipped + refused
  }

  private var peerTable: TextTable {
    TextTable(
      [
        "figure", "peer", "version", .right("runs"), .right("seconds"), .right("to ours"), "min-max",
        .right("MB"),
      ],
      peers.map { peer in
        [
          peer.figure, peer.peer, peer.version, "\(peer.runs.count)", peer.seconds.median.fixed(3),
          peer.ratio.median.fixed(2), "\(peer.ratio.min.fixed(2))-\(peer.ratio.max.fixed(2))",
          peer.memory.fixed(1),
        ]
      })
  }

  /// For programs.
  var json: JSON {
    .object([
      ("machine", machine.json), ("source", .string(source)), ("figures", .array(results.map(Self.json))),
      ("peers", .array(peers.map(Self.json))), ("skipped", Self.json(skips)),
      ("refused", Self.json(refusals)), ("passed", .bool(hasPassed)),
    ])
  }

  private static func json(_ reasons: [(name: String, reason: String)]) -> JSON {
    .array(reasons.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
  }

  private static func json(_ spread: Spread) -> JSON {
    .object([
      ("median", .number(spread.median.fixed(4))), ("min", .number(spread.min.fixed(4))),
      ("max", .number(spread.max.fixed(4))),
    ])
  }

  private static func json(_ peer: PeerResult) -> JSON {
    .object([
      ("figure", .string(peer.figure)), ("name", .string(peer.peer)), ("version", .string(peer.version)),
      ("runs", .integer(peer.runs.count)), ("seconds", json(peer.seconds)), ("to_ours", json(peer.ratio)),
      ("memory_mb", .number(peer.memory.fixed(1))),
    ])
  }

  private static func json(_ result: FigureResult) -> JSON {
    .object([
      ("name", .string(result.name)), ("runs", .integer(result.runs)), ("unit", .string(result.unit)),
      ("ours", json(result.ours)), ("yardstick", result.yardstick.map(json) ?? .null),
      ("ratio", result.ratio.map(json) ?? .null), ("limit", .number(result.limit.fixed(3))),
      ("limit_on", .string(result.judged.rawValue)), ("passed", .bool(result.hasPassed)),
      ("details", .object(result.details.map { ($0.name, .integer($0.value)) })),
    ])
  }
}

/// On what, with what and when something was measured.
struct MachineDescription {
  let processor: String
  let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
  let kernel: String
  let postgreSQL: String
  /// The project's commit, with `-dirty` where files differ from it.
  let commit: String
  /// The moment in UTC, ISO 8601.
  let date: String

  init(_ workbench: Workbench) throws {
    /// What a program of the system says on one line.
    func said(_ command: String...) -> String {
      guard let outcome = try? Subprocess(command).run(), outcome.status == 0 else { return "unknown" }
      return String(outcome.output.prefix { !$0.isNewline })
    }
    processor = said("sed", "-n", "s/^model name[^:]*: *//p", "/proc/cpuinfo")
    kernel = said("uname", "-r")
    postgreSQL = try workbench.connect().query("SHOW server_version")[0].value(0)
    commit = said(
      "git", "-C", workbench.project, "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12")
    date = said("date", "-u", "+%FT%TZ")
  }

  var json: JSON {
    .object([
      ("cpu", .string(processor)), ("cores", .integer(cores)), ("kernel", .string(kernel)),
      ("postgresql", .string(postgreSQL)), ("commit", .string(commit)), ("date", .string(date)),
    ])
  }

  var text: String {
    "\(processor), \(cores) cores, Linux \(kernel), PostgreSQL \(postgreSQL)\ncommit \(commit), \(date)\n"
  }
}

extension Double {
  /// The number with so many digits after the point, at least one.
  func fixed(_ digits: Int) -> String {
    let scale = Int(pow(10, Double(digits)))
    let scaled = Int((self * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
