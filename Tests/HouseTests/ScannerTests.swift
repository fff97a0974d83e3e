import Testing

/// What the tests of the package's graph find in small made-up sources.
@Suite("The scanner of the package's graph")
struct ScannerTests {
  private func graph(_ files: KeyValuePairs<String, String>) -> FolderGraph {
    FolderGraph(files.map { SwiftFile(path: $0.key, text: $0.value) })
  }

  @Test("Two folders whose types use each other are a circle")
  func cycle() {
    let found = graph([
      "Run/Step.swift": "struct Step { let sum: Sum }", "Check/Sum.swift": "struct Sum { var step: Step? }",
      "Out/Text.swift": "struct Text { let step: Step }",
    ])
    #expect(found.cycles == [["Check", "Run"]])
    #expect(found.uses[.init(from: "Check", to: "Run")] == ["Check/Sum.swift uses Step"])
  }

  @Test("A circle through three folders is found, and one way is no circle")
  func longCycle() {
    let circle = graph([
      "A/A.swift": "enum A { case one(B) }", "B/B.swift": "protocol B { func c() -> C }",
      "C/C.swift": "typealias C = A",
    ])
    #expect(circle.cycles == [["A", "B", "C"]])
    let way = graph(["A/A.swift": "enum A { case one(B) }", "B/B.swift": "protocol B {}"])
    #expect(way.cycles == [])
  }

  @Test("A method that an extension adds is a use of the extension's folder")
  func extensions() {
    let found = graph([
      "A/A.swift": "struct A { func run() { settle() } }", "B/B.swift": "extension A { func settle() {} }",
    ])
    #expect(found.cycles == [["A", "B"]])
  }

  @Test("Folders in a folder are compared with each other")
  func nested() {
    let found = graph([
      "Lint/Rules/Rule.swift": "struct Rule { let model: Model }",
      "Lint/Model/Model.swift": "struct Model { let rule: Rule }",
      "Lint/Lint.swift": "struct Lint { let r: Rule }",
    ])
    #expect(found.cycles == [["Lint/Model", "Lint/Rules"]])
  }

  @Test("Comments, the text of strings and private types of the same name are no use")
  func noUse() {
    let text = ##"""
      /* Sum /* and */ Sum */ // Sum
      struct Step { let a = "Sum \"Sum", b = #"Sum"Sum"#, c = """
        Sum
        """ }
      """##
    let found = graph(["Run/Step.swift": text, "Check/Sum.swift": "struct Sum { let step: Step }"])
    #expect(found.cycles == [])
    let other = graph([
      "Run/Step.swift": "struct Step {}; private enum Sum { case a }; let x = Sum.a",
      "Check/Sum.swift": "struct Sum { let step: Step }",
    ])
    #expect(other.cycles == [])
  }

  @Test("What an interpolation names is a use")
  func interpolation() {
    let found = graph([
      "Run/Step.swift": ##"struct Step { let a = "sum: \("(" + Sum.text)", b = #"\(no) \#(1)"# }"##,
      "Check/Sum.swift": "struct Sum { let step: Step }",
    ])
    #expect(found.cycles == [["Check", "Run"]])
  }

  @Test("Imports are found in all their forms, and not in comments")
  func imports() {
    let file = SwiftFile(
      path: "A.swift",
      text: "public import Host\n@testable import Values\nimport struct Records.Place\n// import PostgreSQL\n"
    )
    #expect(file.imports == ["Host", "Values", "Records"])
  }

  @Test("An import that the table forbids is found")
  func forbidden() {
    #expect(House.forbidden(["PostgreSQL"], in: "PipelineCore") == ["PipelineCore may not import PostgreSQL"])
    #expect(House.forbidden(["Glibc", "Host"], in: "PipelineCore").count == 2)
    #expect(House.forbidden(["ViewEngine"], in: "PipelineEngine").count == 1)
    #expect(House.forbidden(["rivulet"], in: "rivulet-bench").count == 1)
    #expect(House.forbidden(["Glibc", "Values"], in: "PipelineEngine") == [])
    #expect(House.forbidden([], in: "Unheard").count == 1)
  }

  @Test("An import that is not declared is found, and a declaration that nobody imports")
  func undeclared() {
    let wrong = PackageGraph.mismatches(
      "A", declared: ["B", "C"], imports: ["C", "D", "Glibc"], own: ["A", "B", "C", "D"])
    #expect(wrong == ["A imports D and does not declare it", "A declares B and does not import it"])
  }
}
