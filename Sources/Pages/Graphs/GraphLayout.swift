import Reporting

/// Where the nodes of a graph are, and by which bends its edges pass the layers between.
///
/// Layers are ordered by the mean places of neighbours (the barycentre), to and fro, so that few edges cross.
struct GraphLayout {
  /// A box, in pixels.
  struct Box: Equatable {
    let x: Double
    let y: Double
    let width: Double
    let height: Double
  }

  /// Something in a layer: a node, or the bend of an edge that passes.
  private struct Item {
    let node: Int?
    var y = 0.0
    var before: [Int] = []
    var after: [Int] = []
    var height: Double { node == nil ? 10 : GraphLayout.height }
  }

  static let height = 28.0
  /// How wide a letter is at most, in pixels, in a typewriter's type of 12 pixels.
  static let letter = 7.4
  private static let (gap, padding, top) = (8.0, 11.0, 30.0)

  /// The boxes of the nodes, in the order of these.
  private(set) var boxes: [Box] = []
  /// For each edge the points that it passes, from the right side of a box to the left side of another.
  private(set) var routes: [[(x: Double, y: Double)]] = []
  /// Where each layer begins, from the left.
  private(set) var layerStarts: [Double] = []
  private(set) var width = 0.0
  private(set) var height = 0.0
  private var items: [Item] = []
  private var layers: [[Int]] = []
  /// How far layers are from each other: the more edges there are, the more room they have to bend.
  private let between: Double

  /// Places the nodes of a graph.
  init(_ graph: LayeredGraph) {
    let places = Dictionary(
      graph.nodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let edges = graph.edges.compactMap { edge in
      places[edge.from].flatMap { from in places[edge.to].map { (from: from, to: $0) } }
    }
    between = 70 + min(110, Double(edges.count) / 2)
    let layer = Self.layers(of: graph.nodes, edges)
    layers = Array(repeating: [], count: (layer.max() ?? -1) + 1)
    for node in graph.nodes.indices {
      layers[layer[node]].append(node)
      items.append(Item(node: node))
    }
    let chains = edges.map { chain(from: $0.from, to: $0.to, layer) }
    order()
    settle()
    draw(graph, layer, chains)
  }

  /// The layer of each node: one behind the last of those that lead to it. A way back is no way forward.
  private static func layers(of nodes: [LayeredGraph.Node], _ edges: [(from: Int, to: Int)]) -> [Int] {
    var before = Array(repeating: [Int](), count: nodes.count)
    for edge in edges { before[edge.to].append(edge.from) }
    var layer = Array(repeating: -1, count: nodes.count)
    var isOpen = Array(repeating: false, count: nodes.count)
    func place(_ node: Int) -> Int {
      if layer[node] >= 0 || isOpen[node] { return layer[node] }
      isOpen[node] = true
      let last = before[node].reduce(-1) { max($0, place($1)) }
      layer[node] = max(nodes[node].kind, last + 1)
      return layer[node]
    }
    return nodes.indices.map(place)
  }

  /// An edge as items from layer to layer, with a bend in each that it passes.
  private mutating func chain(from: Int, to: Int, _ layer: [Int]) -> [Int] {
    var chain = [from]
    if layer[from] + 1 < layer[to] {
      for passed in layer[from] + 1..<layer[to] {
        items.append(Item(node: nil))
        layers[passed].append(items.count - 1)
        chain.append(items.count - 1)
      }
    }
    chain.append(to)
    guard layer[from] < layer[to] else { return chain }
    for (one, next) in zip(chain, chain.dropFirst()) {
      items[one].after.append(next)
      items[next].before.append(one)
    }
    return chain
  }

  // MARK: Order

  private mutating func order() {
    var best = (crossings: crossings, layers: layers)
    for round in 0..<12 {
      for index in round % 2 == 0 ? Array(layers.indices) : layers.indices.reversed() {
        order(layer: index, by: round % 2 == 0 ? \.before : \.after)
      }
      let crossings = crossings
      if crossings < best.crossings { best = (crossings, layers) }
    }
    layers = best.layers
  }

  private mutating func order(layer: Int, by neighbours: KeyPath<Item, [Int]>) {
    var place: [Int: Double] = [:]
    for others in layers { for (index, item) in others.enumerated() { place[item] = Double(index) } }
    let ranked = layers[layer].enumerated().map { index, item in
      let near = items[item][keyPath: neighbours].compactMap { place[$0] }
      // What has no neighbour stays behind what it was behind.
      return (item, near.isEmpty ? Double(index) : near.reduce(0, +) / Double(near.count), index)
    }
    layers[layer] = ranked.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
  }

  private var crossings: Int {
    var count = 0
    for (index, layer) in layers.enumerated() where index + 1 < layers.count {
      let place = Dictionary(
        layers[index + 1].enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      let ends = layer.map { items[$0].after.compactMap { place[$0] } }
      for (upper, others) in ends.enumerated() {
        for lower in ends[(upper + 1)...] {
          for end in others { count += lower.count { $0 < end } }
        }
      }
    }
    return count
  }

  // MARK: Places

  /// Moves items towards their neighbours, in their order and apart from each other.
  private mutating func settle() {
    for layer in layers { stack(layer) { _ in nil } }
    for round in 0..<8 {
      let neighbours: KeyPath<Item, [Int]> = round % 2 == 0 ? \.before : \.after
      for layer in round % 2 == 0 ? layers : layers.reversed() {
        stack(layer) { [items] item in
          let near = items[item][keyPath: neighbours].map { items[$0].y + items[$0].height / 2 }
          return near.isEmpty ? nil : near.reduce(0, +) / Double(near.count) - items[item].height / 2
        }
      }
    }
    let least = items.map(\.y).min() ?? 0
    for index in items.indices { items[index].y += Self.top - least }
    height = (items.map { $0.y + $0.height }.max() ?? 0) + 4
  }

  /// Puts the items of a layer beneath each other, each as near to where it wants to be as those above it
  /// allow; the whole is then moved by what that was too much on average.
  private mutating func stack(_ layer: [Int], _ wanted: (Int) -> Double?) {
    var next = -Double.infinity
    var (error, count) = (0.0, 0.0)
    for item in layer {
      let wish = wanted(item)
      let y = max(next, wish ?? (next.isFinite ? next : 0))
      if let wish { (error, count) = (error + y - wish, count + 1) }
      items[item].y = y
      next = y + items[item].height + Self.gap
    }
    guard count > 0 else { return }
    for item in layer { items[item].y -= error / count }
  }

  // MARK: Drawing

  private mutating func draw(_ graph: LayeredGraph, _ layer: [Int], _ chains: [[Int]]) {
    let widths = layers.map { layer in
      layer.compactMap { items[$0].node }.map { Self.boxWidth(of: graph.nodes[$0].name) }.max() ?? 40
    }
    var x = 1.0
    for width in widths {
      layerStarts.append(x)
      x += width + between
    }
    width = max(1, x - between + 1)
    boxes = graph.nodes.indices.map { node in
      Box(
        x: layerStarts[layer[node]], y: items[node].y, width: Self.boxWidth(of: graph.nodes[node].name),
        height: Self.height)
    }
    routes = chains.map { chain in
      guard let first = chain.first, let last = chain.last else { return [] }
      // It leaves its layer before it bends, so that it passes through no wider box of it.
      let start = boxes[first].y + Self.height / 2
      let end = layerStarts[layer[first]] + widths[layer[first]]
      var points = [(x: boxes[first].x + boxes[first].width, y: start), (x: end, y: start)]
      for (step, item) in chain.enumerated() where items[item].node == nil {
        let passed = layer[first] + step
        let y = items[item].y + items[item].height / 2
        points += [(layerStarts[passed], y), (layerStarts[passed] + widths[passed], y)]
      }
      return points + [(boxes[last].x, boxes[last].y + Self.height / 2)]
    }
  }

  private static func boxWidth(of name: String) -> Double { Double(name.columns) * letter + 2 * padding }
}
