import Glibc
import Host
import Testing

/// Programs that are run by this one.
@Suite("A program that is run by this one")
struct SubprocessTests {
  @Test("is killed with all that it has started once its time is over")
  func late() throws {
    var program = Subprocess(["sh", "-c", "sleep 600 & echo $!; sleep 600"])
    program.hasOwnSession = true
    program.timeLimit = 15
    let began = Machine.seconds
    let outcome = try program.run()
    #expect(outcome.isLate && outcome.status == 128 + SIGKILL)
    #expect(Machine.seconds - began < 60)
    // What is dead, reaped or not, has no command any more.
    let child = try #require(outcome.output.split(separator: "\n").first)
    while try Files.exists("/proc/\(child)") && !Files.read("/proc/\(child)/cmdline").isEmpty {
      try #require(Machine.seconds - began < 60, "process \(child) is still there")
      usleep(10_000)
    }
  }

  @Test("is not late where it ends in time, and gets all of its input")
  func inTime() throws {
    var program = Subprocess(["wc", "-c"])
    program.input = String(repeating: "x", count: 3_000_000)
    program.timeLimit = 60
    let outcome = try program.run()
    #expect(!outcome.isLate && outcome.status == 0 && outcome.output.hasPrefix("3000000"))
  }
}
