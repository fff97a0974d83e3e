import Host
import Scaling
import TestSupport
import Testing

@Suite("The page of the scale model")
struct ScalingPageTests {
  private func text(_ path: String) throws -> String { try Files.readText("\(SharedData.project)/\(path)") }

  private func figures() throws -> ScaleFigures {
    try ScaleFigures(text("Benchmarks/scaling/figures.json"), name: "figures.json")
  }

  @Test("has the tables and the picture that the model makes of the figures beside it: 'make scaling'")
  func asComputed() throws {
    let page = try text("Documentation/Scaling.md")
    #expect(try ScalingPage(figures()).page(from: page) == page)
    #expect(try ScaleChart(figures()).svg() == text("Documentation/pictures/scaling.svg"))
  }

  @Test("loses a number that somebody writes into a table by hand")
  func edited() throws {
    let page = try text("Documentation/Scaling.md")
    let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| load 50 million") })
    let edited = page.replacing(line, with: "| load 50 million providers | 1 s | 1 s | 1 s | 1 s |")
    #expect(edited != page)
    #expect(try ScalingPage(figures()).page(from: edited) == page)
  }
}
