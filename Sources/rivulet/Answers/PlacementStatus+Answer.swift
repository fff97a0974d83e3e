public import MigrationEngine
import Pages
import Reporting
public import Values

extension PlacementStatus: JSONConvertible {
  /// One document.
  public var json: JSON {
    [
      "nodes": JSON.array(of: nodes) {
        [
          "node": $0.number, "address": $0.address, "role": $0.role, "active": $0.isActive,
          "answers": $0.answers,
          "shards": $0.shards, "bytes": $0.bytes,
        ]
      },
      "tables": JSON.array(of: tables) {
        [
          "table": $0.name, "key": $0.key, "colocation": $0.colocation, "shards": $0.shards,
          "partitions": $0.partitions, "unattached": $0.kept, "rows": $0.rows, "bytes": $0.bytes,
          "skew": [
            "largest_shard": $0.shardBytes.largest, "average_shard": $0.shardBytes.average,
            "largest_node": $0.nodeBytes.largest, "average_node": $0.nodeBytes.average,
          ] as JSON,
        ]
      },
      "declared": declared,
      "misplaced": JSON.array(of: misplaced) {
        [
          "table": $0.table, "declared": $0.declared, "found": $0.found, "releases": $0.releases,
          "hint": $0.remedy,
        ]
      },
      "leftovers": JSON.array(of: leftovers) {
        ["kind": $0.kind, "name": $0.name, "state": $0.state, "node": $0.node]
      },
    ]
  }

  /// A table of the servers, one of the tables, and a sentence for each thing that is not as it should be.
  var text: ConsoleText {
    var text =
      TextTable(
        ["node", "address", "role", .state("state"), .right("shards"), .right("size")],
        nodes.map {
          [
            "\($0.number)", $0.address, $0.role,
            !$0.isActive ? "disabled" : $0.answers ? "answers" : "no answer",
            $0.shards.grouped, $0.bytes.map { Double($0).bytes },
          ]
        }
      ).text + "\n"
    if !tables.isEmpty {
      text =
        text
        + TextTable(
          [
            "table", "key", .right("group"), .right("shards"), .right("partitions"), .right("unattached"),
            .right("rows"), .right("size"), .right("largest shard"), .right("largest node"),
          ],
          tables.map {
            [
              $0.name, $0.key ?? "everywhere", "\($0.colocation)", $0.shards.grouped, $0.partitions.grouped,
              $0.kept.grouped, $0.rows.grouped, Double($0.bytes).bytes, Self.ratio($0.shardBytes),
              Self.ratio($0.nodeBytes),
            ]
          }
        ).text + "\n"
    }
    return text + ConsoleText(sentences.map { $0 + "\n" }.joined())
  }

  private var sentences: [String] {
    let there = declared - misplaced.count { $0.declared != "local" }
    return ["\(there) of \(declared) declared tables are where their migrations say"]
      + nodes.filter { $0.isActive && !$0.answers }.map { "\($0.address) does not answer" }
      + misplaced.map {
        let releases = $0.releases == 0 ? "" : ", and \($0.releases) tables of its releases are elsewhere"
        return "\($0.table): declared \($0.declared), found \($0.found)\(releases): '\($0.remedy)'"
      }
      + leftovers.map { left in
        left.state.map { "\(left.kind) \(left.name): \($0)" }
          ?? "\(left.kind) \(left.name)\(left.node.map { " of node \($0)" } ?? ""): to be dropped by the server"
      }
  }

  /// How much more than the average the largest has: `1.08 x`; nil where nothing is there.
  private static func ratio(_ bytes: (largest: Int, average: Int)) -> String? {
    guard bytes.average > 0 else { return nil }
    let hundredths = Int((Double(bytes.largest) * 100 / Double(bytes.average)).rounded())
    let fraction = "\(hundredths % 100)"
    return "\(hundredths / 100).\(fraction.count == 1 ? "0" : "")\(fraction) x"
  }
}
