/// Programs by name.
public enum Programs {
  /// The folders of `PATH`.
  public static var searchPath: [String] {
    (Machine.environment("PATH") ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
  }

  /// Where a program lies: on `PATH`, else in one of the folders for administrators' programs.
  public static func find(_ name: String) -> String? {
    for folder in searchPath + ["/usr/sbin", "/sbin"] {
      let path = Path.join(folder, name)
      if Files.isExecutable(path) { return path }
    }
    return nil
  }
}
