import Pages
import Testing

@Suite("Charts")
struct ChartTests {
  private func html(_ chart: any Chart) -> String { Markup(chart.drawing).html }

  private func figure(_ chart: any Chart, rows: [[PageCell]] = [["a", "1"]]) -> String {
    let figure = Figure(
      "Title <1>", "What it shows.", chart: chart, table: PageTable("Numbers", ["a", .right("b")], rows))
    return Page("P", sections: [PageSection("S", [.figure(figure)])]).html
  }

  @Test("are images with a title, a description and their numbers as a table beneath")
  func accessible() {
    let page = figure(BarChart([.init("a", 1, shown: "1")]))
    for part in [
      "<svg role=\"img\" aria-labelledby=\"s-0-t s-0-d\"", "<title id=\"s-0-t\">Title &lt;1&gt;</title>",
      "<desc id=\"s-0-d\">What it shows. The numbers are in the table beneath.</desc>",
      "<details><summary>The numbers: Title &lt;1&gt;</summary>", "<caption id=\"s-0-c\">Numbers</caption>",
    ] { #expect(page.contains(part), "\(part)") }
    #expect(figure(BarChart([]), rows: []).contains("<p class=\"none\">Nothing to list.</p>"))
  }

  @Test("of bars begin at zero, which lies where the smallest value has room to its left")
  func bars() {
    let drawn = html(BarChart([.init("up", 30, shown: "+30"), .init("down", -10, shown: "-10")]))
    #expect(drawn.contains("<rect class=\"f0\" x=\"25%\" y=\"20\" width=\"75%\" height=\"9\">"))
    #expect(drawn.contains("<rect class=\"f1\" x=\"0%\" y=\"56\" width=\"25%\" height=\"9\">"))
    #expect(drawn.contains("<rect class=\"hatched\" x=\"0%\"") && drawn.contains(">+30</text>"))
    #expect(
      html(BarChart([.init("none", 0, shown: "0"), .init("odd", .nan, shown: "?")])).contains("width=\"0%\""))
  }

  @Test("of parts are as wide as the chart where they are longest")
  func stacked() {
    let chart = StackedBars(
      series: ["read", "check"],
      [
        .init("1", shown: "4 s", parts: [(0, 3), (1, 1)]), .init("2", shown: "2 s", parts: [(1, 2)]),
        .init("3", shown: "", parts: []),
      ])
    let drawn = html(chart)
    #expect(drawn.contains("<rect class=\"f0\" x=\"0%\" y=\"20\" width=\"75%\""))
    #expect(drawn.contains("<rect class=\"f1\" x=\"75%\" y=\"20\" width=\"25%\""))
    #expect(drawn.contains("<rect class=\"f1\" x=\"0%\" y=\"58\" width=\"50%\""))
    #expect(figure(chart).contains("<span>check</span>"))
  }

  @Test("of lines have round steps, gaps where there is no value, and other dashes and marks for each series")
  func lines() {
    let drawn = html(
      LineChart(["A", "B", "C", "D"], [.init("x", [0, 100, nil, 50]), .init("y", [10, 20, 30, 40])]))
    for label in ["0", "50", "100"] { #expect(drawn.contains(">\(label)</text>"), "\(label)") }
    #expect(
      drawn.split(separator: "line l0").count - 1 == 1 && drawn.split(separator: "line l1").count - 1 == 3)
    #expect(drawn.contains("stroke-dasharray=\"7 5\""))
    #expect(drawn.contains("x1=\"2%\" y1=\"196\" x2=\"34%\" y2=\"18\""))
    #expect(drawn.split(separator: "<path").count - 1 == 7)
  }

  @Test(
    "of lines can be drawn of whatever values there are",
    arguments: [[], [nil], [0], [5], [-3, -3], [1e15, 2e15], [0.00012, 0.00013], [Double.infinity, 1]]
      as [[Double?]])
  func anyValues(_ values: [Double?]) {
    let drawn = html(LineChart(values.map { _ in "p" }, [.init("x", values)]))
    #expect(!drawn.contains("nan") && !drawn.contains("–\"") && !drawn.contains("inf"), "\(drawn)")
  }

  @Test("of time have a lane for each subject, and a form of mark for each kind")
  func lanes() {
    let drawn = html(
      LaneChart(
        series: [("done", .good), ("failed", .bad)], from: "May", to: "June",
        [
          .init("cms-rvu", shown: "2 runs", [.init(at: 0, series: 0), .init(at: 7, series: 1)])
        ]))
    #expect(
      drawn.contains("<svg x=\"1.5%\"") && drawn.contains("<svg x=\"98.5%\"") && drawn.contains(">June<"))
  }
}
