import Host

extension EmbeddedCluster {
  /// The settings at the end of `postgresql.conf`, sized for a small machine that does other things too.
  var configuration: String {
    """

    #------------------------------------------------------------------------------
    # Rivulet's private server. Written once: what is changed here stays changed.
    #------------------------------------------------------------------------------
    listen_addresses = ''           # the Unix socket only; its folder is given at start
    max_connections = \(isDurable ? 50 : 200)
    shared_buffers = \(isDurable ? Self.sharedBuffers(ofMemory: Machine.memory) : 64)MB
    work_mem = 32MB
    maintenance_work_mem = 256MB    # keys are built after the rows
    random_page_cost = 1.1
    search_path = 'public'          # not "$user": the role is named as the schema that the program keeps for itself
    jit = off                       # costs more than it saves on queries of a second
    max_wal_size = \(isDurable ? 2048 : 512)MB
    checkpoint_timeout = 15min
    wal_level = minimal             # rows loaded into a new table skip the log; nobody replicates from here
    max_wal_senders = 0
    max_logical_replication_workers = 0
    \(durability)
    # Refused statements are sent to the client, with its data; they are kept out of the log.
    log_min_messages = log
    log_checkpoints = off

    """
  }

  /// An eighth of the memory, and no more than 1 GB, in MB: other programs have theirs.
  static func sharedBuffers(ofMemory bytes: Int) -> Int { min(1_024, max(128, (bytes >> 20) / 8)) }

  private var durability: String {
    isDurable
      ? """
      fsync = on                      # a commit survives a power cut
      synchronous_commit = on
      """
      : """
      fsync = off                     # nobody keeps this data
      synchronous_commit = off
      full_page_writes = off
      autovacuum = off                # nor will it grow old; of many databases it would always be at one
      """
  }
}
