import Glibc

extension Machine {
  /// The memory that this process may use, in bytes: the machine's, or less where its control group is given
  /// less, as in a container.
  public static var memory: Int {
    let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let groups = (try? Files.readText("/proc/self/cgroup")) ?? ""
    return min(physical, memoryLimit(ofGroups: groups, under: "/sys/fs/cgroup") ?? physical)
  }

  /// The least of what control groups and those above them allow, in bytes; nil where none is limited.
  ///
  /// - `groups`: `/proc/self/cgroup`: a line `number:controllers:path` for each hierarchy, of version 2
  ///   without controllers (`man 7 cgroups`). Inside a container a path may be the host's, and not there;
  ///   what is above it is.
  /// - `root`: where the hierarchies are mounted.
  static func memoryLimit(ofGroups groups: String, under root: String) -> Int? {
    var limits: [Int] = []
    for line in groups.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].split(separator: ",")
      guard controllers.isEmpty || controllers.contains("memory") else { continue }
      let mount = controllers.isEmpty ? root : Path.join(root, "memory")
      let file = controllers.isEmpty ? "memory.max" : "memory.limit_in_bytes"
      var folders = parts[2].split(separator: "/")
      while true {
        let folder = Path.join(mount, folders.joined(separator: "/"))
        // Version 2 writes `max` where there is no limit.
        if let text = try? Files.readText(Path.join(folder, file)), let limit = Int(text.filter(\.isNumber)) {
          limits.append(limit)
        }
        if folders.popLast() == nil { break }
      }
    }
    return limits.min()
  }
}
