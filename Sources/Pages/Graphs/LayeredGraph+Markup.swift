import Reporting

extension LayeredGraph {
  /// The graph in a box in which it can be moved, and its edges as a table beneath.
  func markup(id: String) -> Markup {
    guard !nodes.isEmpty else { return Markup("p", ["class": "none"], text: "Nothing to draw.") }
    let shown = LayeredGraph(title, description, kinds: kinds, nodes.map(\.shortened), edges)
    let layout = GraphLayout(shown)
    let drawing = Markup(
      "svg",
      [
        "class": "graph", "role": "group", "aria-labelledby": "\(id)-t \(id)-d",
        "width": layout.width.pixels, "height": layout.height.pixels,
      ],
      [
        Markup("title", ["id": "\(id)-t"], text: title),
        Markup("desc", ["id": "\(id)-d"], text: description + " The edges are in the table beneath."),
        Markup("g", ["aria-hidden": "true"], heads(layout) + layout.routes.map(line)),
        Markup(zip(shown.nodes, layout.boxes).map(box)),
      ])
    let caption = Markup(
      "figcaption", ["id": "\(id)-n"], [Markup(text: title), Markup("span", [:], text: description)])
    let summary = Markup("summary", [:], text: "As a table: \(title)")
    return Markup(
      "figure", [:],
      [
        caption,
        Markup(
          "div", ["class": "box", "role": "group", "aria-labelledby": "\(id)-n", "tabindex": "0"], [drawing]),
        Markup("details", [:], [summary, table.markup(id: "\(id)-c")]),
      ])
  }

  /// Above each layer what is in it; the last kind takes as many layers as it needs.
  private func heads(_ layout: GraphLayout) -> [Markup] {
    layout.layerStarts.enumerated().compactMap { layer, x in
      kinds.indices.contains(layer)
        ? Shape.text(kinds[layer], x: x.pixels, y: 14, isSoft: true) : nil
    }
  }

  /// A line that bends from point to point; it ends with an arrow.
  private func line(_ points: [(x: Double, y: Double)]) -> Markup {
    guard let first = points.first, let last = points.last else { return .empty }
    var path = "M\(first.x.pixels) \(first.y.pixels)"
    for (one, next) in zip(points, points.dropFirst()) {
      let middle = ((one.x + next.x) / 2).pixels
      path +=
        one.y == next.y
        ? "L\(next.x.pixels) \(next.y.pixels)"
        : "C\(middle) \(one.y.pixels) \(middle) \(next.y.pixels) \(next.x.pixels) \(next.y.pixels)"
    }
    let tip =
      "M\((last.x - 6).pixels) \((last.y - 4).pixels)L\(last.x.pixels) \(last.y.pixels)"
      + "L\((last.x - 6).pixels) \((last.y + 4).pixels)"
    return Markup("path", ["class": "way", "d": path + tip])
  }

  private func box(_ node: Node, _ box: GraphLayout.Box) -> Markup {
    let drawn = [
      Markup(
        "rect",
        [
          "class": "k\(node.kind % 3)", "x": box.x.pixels, "y": box.y.pixels, "width": box.width.pixels,
          "height": box.height.pixels, "rx": node.kind == 2 ? "14" : node.kind == 1 ? "4" : "0",
        ]),
      Markup("text", ["x": (box.x + 11).pixels, "y": (box.y + 18.5).pixels], text: node.name),
    ]
    return node.link.map { Markup("a", ["href": $0], drawn) } ?? Markup("g", [:], drawn)
  }
}

extension LayeredGraph.Node {
  /// The same with a name of no more letters than find room.
  fileprivate var shortened: LayeredGraph.Node {
    LayeredGraph.Node(id, name.cut(toColumns: 44), kind: kind, link: link)
  }
}
