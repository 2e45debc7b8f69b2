internal import CoreDataModel
internal import StoreGenerator

/// Objects of ``CyclicModel`` with their relationships, as values.
struct CyclicGraph {
  /// An object: the root of its entity, and its primary key.
  struct Object: Hashable, CustomStringConvertible {
    var root: String
    var key: Int64
    var description: String { "\(root)/p\(key)" }
  }

  /// A relationship of an object with another one; each has its reverse, except relationships without an inverse.
  struct Edge: Hashable {
    var relation: String
    var start: Object
    var end: Object
  }

  /// The objects with their entities.
  var objects: [Object: String] = [:]
  var edges: Set<Edge> = []

  /// The objects of an entity's table, in the order of their keys.
  func objects(of root: String) -> [Object] {
    objects.keys.filter { $0.root == root }.sorted { $0.key < $1.key }
  }

  /// All objects, always in the same order.
  var all: [Object] { CyclicModel.roots.flatMap(objects(of:)) }

  /// The part with some of the objects.
  func part(_ chosen: Set<Object>) -> CyclicGraph {
    CyclicGraph(
      objects: objects.filter { chosen.contains($0.key) },
      edges: edges.filter { chosen.contains($0.start) && chosen.contains($0.end) })
  }

  /// The objects that are added to objects, by following all relationships until nothing changes.
  ///
  /// - Parameters:
  ///   - chosen: the objects to begin with.
  ///   - relations: the names of the relationships that lead further.
  /// - Returns: the objects, and those to begin with.
  func reached(from chosen: Set<Object>, by relations: Set<String>) -> Set<Object> {
    var reached = chosen
    while true {
      let more = edges.filter { relations.contains($0.relation) && reached.contains($0.start) }
        .map(\.end)
      let before = reached.count
      reached.formUnion(more)
      if reached.count == before { return reached }
    }
  }
}

extension CyclicGraph {
  /// Objects that meet all rules of the model.
  static func random(seed: UInt64) -> CyclicGraph {
    var random = SeededGenerator(seed: seed)
    var graph = CyclicGraph()
    let size = [2, 4, 8, 20][random.below(4)]
    let pairCount = random.below(size)
    for root in CyclicModel.roots {
      let isPair = ["Key", "Lock"].contains(root)
      let count = isPair ? pairCount : root == "Node" ? 2 * size : 1 + random.below(size)
      for key in 1...Int64(max(count, 1)) {
        let isLeaf = root == "Node" && random.chance(0.3)
        graph.objects[Object(root: root, key: key)] = isLeaf ? "Leaf" : root
      }
    }
    graph.meetNeeds(&random)
    let density = [0.1, 0.4, 0.8][random.below(3)]
    for node in graph.objects(of: "Node") {
      for name in ["alpha", "box", "next", "parent"] where random.chance(density) {
        graph.relate("Node.\(name)", node, &random)
      }
      if random.chance(density) {
        for _ in 0...random.below(3) { graph.relate("Node.friends", node, &random) }
      }
      guard graph.objects[node] == "Leaf", random.chance(density) else { continue }
      graph.relate("Leaf.related", node, &random)
      for _ in 0...random.below(3) { graph.relate("Leaf.links", node, &random) }
    }
    for lock in graph.objects(of: "Lock") where random.chance(density) {
      graph.relate("Lock.node", lock, &random)
    }
    for mark in graph.objects(of: "Mark") where random.chance(density) {
      let owners = graph.objects(of: "Alpha")
      graph.add("Alpha.marks", owners[random.below(owners.count)], mark)
    }
    return graph
  }

  /// Gives each object its required destinations.
  private mutating func meetNeeds(_ random: inout SeededGenerator) {
    for alpha in objects(of: "Alpha") { relate("Alpha.beta", alpha, &random) }
    for beta in objects(of: "Beta") { relate("Beta.alpha", beta, &random) }
    for (lock, key) in zip(objects(of: "Lock"), objects(of: "Key").reversed()) {
      add("Lock.key", lock, key)
    }
    let nodes = objects(of: "Node")
    for (node, box) in zip(nodes, objects(of: "Box")) { add("Node.box", node, box) }
    for label in objects(of: "Label") where random.chance(0.7) {
      let first = random.below(nodes.count - 1)
      add("Label.nodes", label, nodes[first])
      for _ in 0...random.below(3) {
        add("Label.nodes", label, nodes[first + 1 + random.below(nodes.count - first - 1)])
      }
    }
  }

  /// Relates an object with any other one, or itself, unless it has a destination already.
  private mutating func relate(
    _ relation: String, _ start: Object, _ random: inout SeededGenerator
  ) {
    guard let found = CyclicModel.relation(relation) else { return }
    let others = objects(of: found.destination.text)
    let end = others[random.below(others.count)]
    if !found.isToMany, edges.contains(where: { $0.relation == relation && $0.start == start }) {
      return
    }
    if let reverse = found.reverse, !reverse.isToMany,
      edges.contains(where: { $0.relation == reverse.fullName && $0.start == end })
    {
      return
    }
    add(relation, start, end)
  }

  /// Relates two objects in both directions.
  private mutating func add(_ relation: String, _ start: Object, _ end: Object) {
    edges.insert(Edge(relation: relation, start: start, end: end))
    guard let reverse = CyclicModel.relation(relation)?.reverse else { return }
    edges.insert(Edge(relation: reverse.fullName, start: end, end: start))
  }
}
