import MigrationEngine
import PostgreSQL

extension SetupCheck {
  /// Whether all servers of a cluster answer, and have the tables that the migrations place there.
  static let cluster = SetupCheck(
    "cluster", .server,
    because: "tables with a part on a server that does not answer are neither read nor loaded"
  ) { subject in
    let connection = try subject.connection()
    guard connection.hasCitus else { return [.ok("the database is on one server")] }
    // Files that cannot be read are what another check finds.
    let marks = (try? MigrationFolder.placements(of: subject.migrations().map(\.folder))) ?? []
    return findings(of: try subject.readingLedger { try PlacementStatus.read(from: $0, marks) })
  }

  private static func findings(of status: PlacementStatus) -> [Finding] {
    let silent = status.nodes.filter { $0.isActive && !$0.answers }.map { node in
      Finding.error(
        "the server \(node.address) of the cluster does not answer the coordinator", fix: knock(node.address))
    }
    let unused = status.nodes.filter { !$0.isActive }.map { node in
      Finding.note("the server \(node.address) of the cluster is not used", fix: "rivulet cluster status")
    }
    let misplaced = status.misplaced.map { table in
      Finding.warning("\(table.table) is \(table.found), and declared \(table.declared)", fix: table.remedy)
    }
    let leftovers =
      status.leftovers.isEmpty
      ? [] : [Finding.note("a move of shards has left something", fix: "rivulet cluster status")]
    let findings = silent + unused + misplaced + leftovers
    guard findings.isEmpty else { return findings }
    return [
      .ok("\(status.nodes.count) servers answer, and \(status.declared) tables are where migrations say")
    ]
  }

  /// What tries to reach a server by `host:port`.
  private static func knock(_ address: String) -> String {
    guard let colon = address.lastIndex(of: ":") else { return "rivulet cluster status" }
    return
      "pg_isready -h \(String(address[..<colon]).shellWord) -p \(address[address.index(after: colon)...])"
  }
}
