import Pages
import Testing

@Suite("Pages")
struct PageTests {
  private let table = PageTable(
    "Runs of <b>all</b>", ["run", .right("rows"), "state"],
    [["1", PageCell(19_090), PageCell("published", tone: .good)], ["2|x", PageCell(nil as Int?)]])

  private func page(_ blocks: [PageBlock]) -> Page {
    Page(
      "A & B", facts: [.init("made", "today")],
      sections: [PageSection("Runs & rows", blocks), PageSection("End", [])])
  }

  @Test("are one file that asks nobody for anything, with landmarks, a language and headings in order")
  func file() {
    let html = page([.section(PageSection("Deeper", [.text("x")]))]).html
    #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"))
    for part in [
      "default-src &#39;none&#39;", "script-src &#39;sha256-", "<title>A &amp; B</title>",
      "<a class=\"skip\" href=\"#content\">", "<nav aria-label=\"Sections\">", "<main id=\"content\"",
      "<section id=\"runs-rows\" aria-labelledby=\"runs-rows-h\"><h2 id=\"runs-rows-h\">Runs &amp; rows</h2>",
      "<h3 id=\"deeper-h\">Deeper</h3>", "<a href=\"#runs-rows\">",
    ] { #expect(html.contains(part), "\(part)") }
    for part in ["src=", "url(http", "@import", "<link", "<iframe"] {
      #expect(!html.replacing("script-src", with: "").contains(part), "\(part)")
    }
  }

  @Test("have tables with a caption, scopes, numbers at the right and a sign beside a colour")
  func tables() {
    let html = page([.table(table)]).html
    for part in [
      "<caption id=\"runs-rows-0\">Runs of &lt;b&gt;all&lt;/b&gt;</caption>", "<th scope=\"col\">run</th>",
      "<th scope=\"col\" class=\"n\">rows</th>", "<th scope=\"row\">1</th>",
      "<td class=\"n\" data-v=\"19090\">19,090</td>",
      "<span class=\"tone good\"><span class=\"sign\" aria-hidden=\"true\">✓</span>published</span>",
      "role=\"group\" aria-labelledby=\"runs-rows-0\" tabindex=\"0\"", "<td></td>",
    ] { #expect(html.contains(part), "\(part)") }
    #expect(!html.contains("<table data-search"))
    let long = PageTable("Long", ["a"], (0..<9).map { [PageCell("\($0)")] })
    #expect(page([.table(long)]).html.contains("<table data-search=\"yes\">"))
    let none = page([.table(PageTable("None", ["a"], ifEmpty: "nothing loaded"))]).html
    #expect(none.contains("<p class=\"none\">nothing loaded</p>") && !none.contains("<table"))
  }

  @Test("are Markdown too, in which no character of a value means anything")
  func markdown() {
    let text = page([
      .table(table), .note("mind this", .warning), .code("a ``` b"), .text("one\n# two <b>"),
    ]).markdown
    #expect(text.hasPrefix("# A \\& B\n\n- made: today\n\n## Runs \\& rows\n"))
    #expect(text.contains("| run | rows | state |\n| --- | ---: | --- |\n| 1 | 19,090 | published |\n"))
    #expect(text.contains("| 2\\|x |  |  |\n") && text.contains("> ! mind this\n"))
    #expect(text.contains("````\na ``` b\n````") && text.contains("one \\# two \\<b\\>"))
  }

  @Test("give a heading of any letters a place that links can name")
  func places() {
    #expect(PageSection.place("Rows & rejects, by reason!") == "rows-rejects-by-reason")
    #expect(PageSection.place("«»") == "section")
  }
}
