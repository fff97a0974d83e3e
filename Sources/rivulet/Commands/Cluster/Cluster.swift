import Catalog
import Definitions
import MigrationEngine
import PipelineEngine
import PostgreSQL
import Store
import ViewEngine

let clusterCommand = Command(
  name: "cluster", summary: "Shows how tables lie on the servers of a Citus cluster, and moves them",
  examples: [
    "rivulet cluster status", "rivulet cluster distribute --dry-run", "rivulet cluster undistribute",
  ],
  subcommands: [clusterStatusCommand, clusterDistributeCommand, clusterUndistributeCommand])

/// What the subcommands of `cluster` share: the coordinator's database, and where the migrations say that tables go.
struct ClusterSession {
  let connection: Connection
  let marks: [PlacementMark]
  /// Takes the locks under which tables are moved.
  let engine: MigrationEngine
  private let pipelines: [Pipeline]
  private let migrations: MigrationSession
  private let lockWait: Double

  /// The schema `rivulet` is made where there is a cluster, and of the program's version then.
  init(_ invocation: Invocation, _ session: Session) throws {
    let folders = try MigrationSession.all(invocation, session, mayBeEmpty: true)
    let marks = try MigrationFolder.placements(of: folders.map(\.folder))
    let connection = try session.connect()
    if connection.hasCitus { try Catalog.prepare(connection) }
    guard let first = folders.first else { throw invocation.usage("the project has no folder of migrations") }
    (self.connection, self.marks, engine) = (connection, marks, try first.engine(connection))
    migrations = first
    pipelines = first.project == nil ? [] : try session.pipelines()
    lockWait = try session.lockWait()
  }

  /// Makes the stored views again that have gone with the tables that they are computed from.
  func makeViews() throws {
    for problem in try migrations.recordProject(on: connection) {
      migrations.session.tell("warning: \(problem.view) is not made: \(problem)")
    }
  }

  /// Keeps loads away from tables, and with them what publishes or drops their releases, until the end of the command.
  func keepRunsAway(from tables: [String]) throws {
    let known = try connection.query(
      """
      SELECT pipeline FROM rivulet.release_table WHERE target = ANY ($1)
      UNION SELECT pipeline FROM rivulet.merge WHERE target = ANY ($1)
      """, [.textArray(tables)])
    let loading = pipelines.filter { pipeline in pipeline.targets.contains { tables.contains($0) } }.map(
      \.name)
    try Leftovers.keepRunsAway(
      of: Set(known.rows.compactMap { $0[0] } + loading).sorted(), on: connection, waiting: lockWait)
  }
}
