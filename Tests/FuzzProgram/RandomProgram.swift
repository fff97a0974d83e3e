#if RANDOM
  import Fuzzing
  import Glibc
  import Host

  /// Reads inputs that are kept, changed at random, with libFuzzer's command line and figures. Nothing leads
  /// the changes: so it is made of the objects of the tests, is built in seconds, and says what a trap was.
  @main
  enum RandomProgram {
    static func main() throws {
      let reader = Fuzz.reader
      let seconds = option("max_total_time") ?? 60
      let longest = option("max_len") ?? reader?.longest ?? 4096
      let seed = option("seed") ?? 1
      limitMemory(megabytes: option("rss_limit_mb") ?? 512)
      srand48(seed)
      let folders = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("-") }
      let inputs = try folders.flatMap { folder in
        try Files.list(folder).sorted().map { Array(try Files.read(Path.join(folder, $0)).prefix(longest)) }
      }
      LastInput.keep(in: (text("artifact_prefix") ?? "") + "crash-\(seed)")
      let change = RandomChange(words: reader?.words ?? [], longest: longest)
      let end = Machine.seconds + Double(seconds)
      var executions = 0
      // Also on a machine that has little time left.
      while Machine.seconds < end || executions < 500 {
        let input = executions < inputs.count ? inputs[executions] : change.next(of: inputs)
        LastInput.set(input, seconds: option("timeout") ?? 5)
        Fuzz.read(input)
        executions += 1
      }
      alarm(0)
      print("stat::number_of_executed_units: \(executions)")
      print("stat::peak_rss_mb: \(Machine.peakMemory >> 20)")
    }

    /// An option's number, of `-name=7`.
    private static func option(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    private static func text(_ name: String) -> String? {
      CommandLine.arguments.first { $0.hasPrefix("-\(name)=") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// What is asked for beyond that is not given, which is a trap.
    private static func limitMemory(megabytes: Int) {
      var limit = rlimit(rlim_cur: rlim_t(megabytes << 20), rlim_max: rlim_t(megabytes << 20))
      setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }
  }
#endif
