import Foundation
import Testing

/// The ways that Architecture.md describes: short enough to be read in one go, and forward only.
@Suite("The ways through the house")
struct WalkTests {
  /// The files that a section of the page lists, in their order: `Sources/Module/Folder/File.swift`.
  private static func files(of section: String) throws -> [String] {
    let page = try String(
      contentsOfFile: PackageGraph.root + "/Documentation/Architecture.md", encoding: .utf8)
    let parts = page.components(separatedBy: "\n## ")
    let text = try #require(parts.first { $0.hasPrefix(section + "\n") }, "no section '\(section)'")
    return text.matches(of: /(?m)^\d+\. `(Sources\/[^`]+\.swift)`/).map { String($0.1) }
  }

  @Test(
    "are so many files in so many modules at most, each named by one before it",
    arguments: [
      ("The way of a row", files: 30, modules: 5), ("The way of a migration", files: 20, modules: 6),
      ("The way of a change into a view", files: 20, modules: 6),
    ])
  func walk(section: String, files: Int, modules: Int) throws {
    let paths = try Self.files(of: section)
    #expect(paths.count > files / 2 && paths.count <= files, "\(paths.count) files")
    #expect(Set(paths).count == paths.count)
    let used = Set(paths.map { $0.split(separator: "/")[1] }).subtracting(["rivulet"])
    #expect(used.count <= modules, "\(used.sorted())")
    var known: [SwiftFile] = []
    for path in paths {
      let text = try String(contentsOfFile: "\(PackageGraph.root)/\(path)", encoding: .utf8)
      let file = SwiftFile(path: path, text: text)
      // A type is followed to its extensions, too.
      let extended = text.matches(of: /(?m)^extension (\w+)/).map { String($0.1) }
      let names = file.declared.union(file.members).union(extended)
      let isNamed = known.contains { !$0.words.union($0.wordsAfterPoint).isDisjoint(with: names) }
      #expect(isNamed || known.isEmpty, "nothing before \(path) uses what it declares")
      known.append(file)
    }
  }
}
