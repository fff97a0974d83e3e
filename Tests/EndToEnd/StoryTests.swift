import TestSupport
import Testing

/// The pages with commands, followed as their readers follow them.
@Suite("The documentation's commands")
struct StoryTests {
  @Test(
    "print what their page says",
    arguments: try DocumentationPage.all().filter { !$0.consoles.isEmpty })
  func story(page: DocumentationPage) throws {
    let story = try Story(page)
    let database = try TestServer.shared.makeDatabase()
    for (step, printed) in zip(story.steps, try story.run(in: database)) {
      guard let difference = step.difference(from: printed) else { continue }
      Issue.record("\(page.name):\(difference)")
    }
  }

  @Test("differs where its page says something else, and leaves out what the page leaves out")
  func differences() {
    let page = ["$ load", "done in <seconds> s", "...", "the end", "$ ask"].enumerated().map { ($0 + 1, $1) }
    let step = Story.steps(of: page)[0]
    #expect(step.difference(from: ["done in 0.5 s", "the end"]) == nil)
    #expect(step.difference(from: ["done in 0.5 s", "this", "and that", "the end"]) == nil)
    for (printed, difference) in [
      (["done in  min", "the end"], "2: load\nexpected: done in <seconds> s\n     got: done in  min"),
      (["done in 1 s", "the END"], "4: load\nexpected: the end\n     got: the END"),
      (["done in 1 s"], "4: load\nexpected: the end\n     got: nothing more"),
      (["done in 1 s", "the end", "x"], "1: load\nexpected: nothing more\n     got: x"),
    ] { #expect(step.difference(from: printed) == difference) }
  }
}
