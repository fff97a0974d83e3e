/// Which folders of a module use names that others of its folders declare.
struct FolderGraph {
  /// One use: the first file found that uses a name of another folder.
  struct Use: Hashable {
    /// The folder whose file uses the name.
    let from: String
    /// The folder that declares it.
    let to: String
  }

  /// For each use of one folder by another, up to three examples: `Run/Step.swift uses Ledger`.
  private(set) var uses: [Use: [String]] = [:]

  /// Takes the files of a module. Folders that lie in the same folder are compared with each other, each as a
  /// whole with the folders in it; files beside folders are of none of them.
  init(_ files: [SwiftFile]) {
    let names = FolderGraph.names(of: files)
    for file in files {
      for (name, home) in names where home != file.path {
        guard file.uses(name), let use = FolderGraph.use(from: file.path, of: home) else { continue }
        if uses[use, default: []].count < 3 {
          uses[use, default: []].append("\(file.path) uses \(name.text)")
        }
      }
    }
  }

  /// The circles among folders: each a sorted list of the folders that reach each other.
  var cycles: [[String]] {
    var found: Set<[String]> = []
    let folders = Set(uses.keys.flatMap { [$0.from, $0.to] })
    let reached = Dictionary(uniqueKeysWithValues: folders.map { ($0, reach(from: $0)) })
    for folder in folders where reached[folder]?.contains(folder) == true {
      let circle = folders.filter {
        reached[folder]?.contains($0) == true && reached[$0]?.contains(folder) == true
      }
      found.insert(circle.sorted())
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func reach(from start: String) -> Set<String> {
    var reached: Set<String> = []
    var open = [start]
    while let folder = open.popLast() {
      for use in uses.keys where use.from == folder && reached.insert(use.to).inserted { open.append(use.to) }
    }
    return reached
  }

  /// The folders in which the ways of two files part; nil where one of the files lies beside the other's
  /// folder.
  private static func use(from user: String, of home: String) -> Use? {
    var before = ""
    var one = user.split(separator: "/")[...]
    var other = home.split(separator: "/")[...]
    while one.count > 1, other.count > 1, let first = one.popFirst(), let second = other.popFirst() {
      if first != second { return Use(from: before + first, to: before + second) }
      before += first + "/"
    }
    return nil
  }

  private static func isType(_ name: String) -> Bool { name.first?.isUppercase == true }

  /// The names whose use shows which file is used, with that file: types, and what is declared in one file
  /// only.
  private static func names(of files: [SwiftFile]) -> [(SwiftFile.Name, String)] {
    var homes: [String: Set<String>] = [:]
    for file in files { for name in file.own { homes[name, default: []].insert(file.path) } }
    return files.flatMap { file in
      let types = file.declared.filter { isType($0) || homes[$0]?.count == 1 }
      let members = file.members.filter { homes[$0]?.count == 1 }
      return types.map { (SwiftFile.Name(text: $0, isMember: false), file.path) }
        + members.map { (SwiftFile.Name(text: $0, isMember: true), file.path) }
    }
  }
}

extension SwiftFile {
  /// A name that a file declares for others.
  struct Name: Hashable {
    /// The name.
    let text: String
    /// Whether an extension adds it to a type.
    let isMember: Bool
  }

  /// Whether it uses a name of another file.
  func uses(_ name: Name) -> Bool {
    guard !own.contains(name.text) else { return false }
    return words.contains(name.text) || (name.isMember && wordsAfterPoint.contains(name.text))
  }
}
