import Host

/// A module of Python's that is measured if it is installed.
struct PythonModule {
  private let name: String
  private let workbench: Workbench

  /// A module, and the package that it is installed as.
  /// - Throws: ``Skip`` where it cannot be imported.
  init(_ name: String, package: String, in workbench: Workbench) throws {
    self.name = name
    self.workbench = workbench
    do {
      _ = try workbench.run(["python3", "-c", "import \(name)"])
    } catch {
      throw Skip(reason: "python3 has no module \(name) (pip install \(package))")
    }
  }

  /// Runs statements that find `file` and set `count` in a process of their own, and takes their seconds
  /// without the start of Python.
  /// - Throws: ``BenchError`` where the process fails, or counts something else.
  func time(_ work: String, file: String, expecting expected: Int) throws -> ProgramRun {
    let script = """
      import sys, time
      import \(name)
      file = sys.argv[1]
      start = time.perf_counter()
      \(work)
      print(count, round((time.perf_counter() - start) * 1e9))
      """
    let run = try workbench.run(["python3", "-c", script, file])
    let numbers = run.output.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) } ?? []
    guard numbers.count == 2, numbers[0] == expected else {
      throw BenchError.wrongCount(
        what: "records read by \(name)", expected: expected, found: numbers.first ?? 0)
    }
    return ProgramRun(
      seconds: Double(numbers[1]) / 1e9, peakMemory: run.peakMemory, output: run.output)
  }
}
