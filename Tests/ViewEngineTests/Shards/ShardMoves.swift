import PostgreSQL
import TestSupport

/// Moves and splits shards of ``ShardedFacts``, with those beside them.
struct ShardMoves {
  private var random: RandomNumbers
  private(set) var moved = 0
  private(set) var split = 0

  init(seed: UInt64) { random = RandomNumbers(seed: seed) }

  /// One of them: what is called for it is called for no other.
  private static let shard = """
    (SELECT * FROM citus_shards WHERE table_name = 'app.visit'::regclass ORDER BY shardid OFFSET $1 LIMIT 1)
    """

  /// Moves one shard to the other worker.
  mutating func move(on connection: Connection) throws {
    try connection.query(
      """
      SELECT citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, m.nodename, m.nodeport, 'block_writes')
      FROM \(Self.shard) s JOIN pg_dist_node m ON m.noderole = 'primary' AND m.groupid <> 0
        AND (m.nodename, m.nodeport) <> (s.nodename, s.nodeport)
      """, [.integer(random.below(6))])
    moved += 1
  }

  /// Splits one shard in two, on its worker.
  mutating func split(on connection: Connection) throws {
    try connection.query(
      """
      SELECT citus_split_shard_by_split_points(s.shardid,
        ARRAY[((d.shardminvalue::bigint + d.shardmaxvalue::bigint) / 2)::text], ARRAY[n.nodeid, n.nodeid], 'block_writes')
      FROM \(Self.shard) s JOIN pg_dist_shard d USING (shardid)
      JOIN pg_dist_node n ON (n.nodename, n.nodeport) = (s.nodename, s.nodeport)
      """, [.integer(random.below(6))])
    split += 1
  }
}
