import TestSupport
import Testing

@testable import Host

@Suite("The memory that a process may use") struct MachineMemoryTests {
  @Test("is the machine's, where control groups say nothing")
  func unlimited() throws {
    let root = try Scratch()
    #expect(Machine.memoryLimit(ofGroups: "", under: root.path) == nil)
    #expect(Machine.memoryLimit(ofGroups: "0::/\n1:cpu:/a\n", under: root.path) == nil)
    #expect(Machine.memory > 64 << 20)
  }

  @Test("is the least of what the groups above it allow, by version 2")
  func unified() throws {
    let root = try Scratch()
    try write("max\n", to: "a.slice/b/memory.max", in: root)
    try write("2147483648\n", to: "a.slice/memory.max", in: root)
    try write("8589934592\n", to: "memory.max", in: root)
    #expect(Machine.memoryLimit(ofGroups: "0::/a.slice/b\n", under: root.path) == 2 << 30)
    #expect(Machine.memoryLimit(ofGroups: "0::/elsewhere\n", under: root.path) == 8 << 30)
  }

  @Test("is the container's own by version 1, though the path is the host's")
  func separate() throws {
    let root = try Scratch()
    try write("536870912\n", to: "memory/memory.limit_in_bytes", in: root)
    try write("1\n", to: "memory.max", in: root)
    let groups = "5:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n"
    #expect(Machine.memoryLimit(ofGroups: groups, under: root.path) == 512 << 20)
  }

  private func write(_ text: String, to path: String, in root: Scratch) throws {
    let file = Path.join(root.path, path)
    try Files.makeDirectory(Path.parent(file))
    try Files.write(text, to: file)
  }
}
