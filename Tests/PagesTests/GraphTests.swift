import Pages
import Testing

@Suite("Graphs")
struct GraphTests {
  /// A box as it is drawn, and its text's width at most.
  private struct Box {
    let x: Double
    let y: Double
    let width: Double
    let height: Double
    let text: String

    func overlaps(_ other: Box) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + other.height
        && other.y < y + height
    }
  }

  private func html(_ graph: LayeredGraph) -> String {
    Page("P", sections: [PageSection("S", [.graph(graph)])]).html
  }

  private func boxes(_ html: String) -> [Box] {
    let pattern =
      #/<rect class="k\d" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="\d+"><\/rect><text[^>]*>([^<]*)</#
    return html.matches(of: pattern).compactMap { found in
      guard let x = Double(found.1), let y = Double(found.2), let width = Double(found.3),
        let height = Double(found.4)
      else { return nil }
      return Box(x: x, y: y, width: width, height: height, text: String(found.5))
    }
  }

  private func graph(_ nodes: [(String, Int)], _ edges: [(String, String)]) -> LayeredGraph {
    LayeredGraph(
      "Flow", "What goes where.", kinds: ["Files", "Tables", "Views"],
      nodes.map { LayeredGraph.Node($0.0, $0.0, kind: $0.1, link: "#\($0.0)") },
      edges.map { LayeredGraph.Edge(from: $0.0, to: $0.1, "loads") })
  }

  @Test("have a title, links that can be reached, and their edges as a table")
  func accessible() {
    let page = html(graph([("a", 0), ("b", 1), ("c", 2)], [("a", "b"), ("b", "c"), ("x", "c"), ("c", "c")]))
    for part in [
      "role=\"group\" aria-labelledby=\"s-0-t s-0-d\"", "<title id=\"s-0-t\">Flow</title>",
      "<a href=\"#b\"><rect class=\"k1\"", "<caption id=\"s-0-c\">Edges</caption>",
      "<th scope=\"row\"><a href=\"#a\">a</a></th><td>loads</td><td><a href=\"#b\">b</a></td>",
      "role=\"group\" aria-labelledby=\"s-0-n\" tabindex=\"0\"",
    ] { #expect(page.contains(part), "\(part): \(page)") }
    // What leads from nowhere, and to itself, is no edge.
    #expect(page.matches(of: #/class="way"/#).count == 2)
    #expect(html(graph([], [])).contains("Nothing to draw."))
  }

  @Test(
    "are drawn from left to right: each node is behind those that lead to it, and in the layer of its kind")
  func layers() {
    let boxes = boxes(
      html(
        graph(
          [("v2", 2), ("f", 0), ("v1", 2), ("t", 1)], [("f", "t"), ("t", "v1"), ("v1", "v2"), ("t", "v2")])))
    #expect(boxes.sorted { $0.x < $1.x }.map(\.text) == ["f", "t", "v1", "v2"])
    #expect(Set(boxes.map(\.x)).count == 4)
  }

  @Test("are drawn of what leads in a circle, too")
  func circle() {
    #expect(boxes(html(graph([("a", 0), ("b", 0)], [("a", "b"), ("b", "a")]))).count == 2)
  }

  @Test("do not cross edges that need not cross")
  func crossings() {
    let boxes = boxes(
      html(
        graph(
          [("f1", 0), ("f2", 0), ("f3", 0), ("t3", 1), ("t2", 1), ("t1", 1)],
          [("f1", "t1"), ("f2", "t2"), ("f3", "t3")])))
    let order = { (kind: String) in
      boxes.filter { $0.text.hasPrefix(kind) }.sorted { $0.y < $1.y }.map { $0.text.dropFirst() }
    }
    #expect(order("f") == order("t"))
  }

  @Test("have boxes apart from each other and as wide as their names, and none that an edge passes through")
  func random() throws {
    var state: UInt64 = 7
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for round in 0..<20 {
      let nodes = (0..<40).map { (String(repeating: "n", count: 1 + below(60)) + "\($0)", below(3)) }
      let edges = (0..<50).map { _ in (below(40), below(40)) }.filter { nodes[$0.0].1 < nodes[$0.1].1 }
      let page = html(graph(nodes, edges.map { (nodes[$0.0].0, nodes[$0.1].0) }))
      let boxes = boxes(page)
      try #require(boxes.count == 40)
      for (index, box) in boxes.enumerated() {
        #expect(box.text.count <= 44 && box.width >= 7.3 * Double(box.text.count), "\(box)")
        #expect(box.x >= 0 && box.y >= 20)
        for other in boxes[(index + 1)...] where box.overlaps(other) {
          Issue.record("round \(round): \(box) \(other)")
        }
      }
      let size = try #require(page.firstMatch(of: #/class="graph"[^>]*width="([\d.]+)" height="([\d.]+)"/#))
      let (width, height) = (try #require(Double(size.1)), try #require(Double(size.2)))
      #expect(boxes.allSatisfy { $0.x + $0.width <= width && $0.y + $0.height <= height })
      // Where an edge runs level it passes a layer: no box is there.
      for path in page.matches(of: #/class="way" d="([^"]*)"/#) {
        for (from, to, y) in levels(String(path.1)) {
          let hit = boxes.first {
            y > $0.y && y < $0.y + $0.height && from < $0.x + $0.width - 0.2 && to > $0.x + 0.2
          }
          #expect(hit == nil, "round \(round): \(path.1)")
        }
      }
    }
  }

  /// The parts of a path that run level, each from where to where and how far down.
  private func levels(_ path: String) -> [(Double, Double, Double)] {
    var place = (0.0, 0.0)
    var found: [(Double, Double, Double)] = []
    for step in path.matches(of: #/([MLC])([\d. ]+)/#) {
      let numbers = step.2.split(separator: " ").compactMap { Double($0) }
      let next = (numbers[numbers.count - 2], numbers[numbers.count - 1])
      if step.1 == "L", next.1 == place.1, next.0 > place.0 { found.append((place.0, next.0, next.1)) }
      place = next
    }
    return found
  }
}
