internal import CoreDataArchive
internal import CoreDataModel

/// The properties of a line by name, composite attributes with their elements below them.
struct MemberTree {
  /// A value.
  struct Leaf {
    var form: ValueForm
    var column: Int
    var entityColumn: Int?
  }

  private enum Node {
    case leaf(Leaf)
    case group(MemberTree)
  }

  private var nodes: [ExactString: Node] = [:]

  /// Places a value; false, and nothing placed, where its name is taken.
  mutating func insert(path: [String], leaf: Leaf) -> Bool {
    guard let name = path.first else { return false }
    if path.count == 1 {
      guard nodes[name] == nil else { return false }
      nodes[name] = .leaf(leaf)
      return true
    }
    var below = MemberTree()
    switch nodes[name] {
    case .leaf: return false
    case .group(let tree): below = tree
    case nil: break
    }
    guard below.insert(path: Array(path.dropFirst()), leaf: leaf) else { return false }
    nodes[name] = .group(below)
    return true
  }

  /// Adds the members to a plan in ascending order of their names.
  func add(to plan: inout LinePlan) {
    for (name, node) in nodes.sorted(by: { codeUnitsAscend($0.key.text, $1.key.text) }) {
      switch node {
      case .leaf(let leaf):
        plan.add(
          key: LineKey.escaped(name.text), form: leaf.form, column: leaf.column,
          entityColumn: leaf.entityColumn)
      case .group(let tree):
        plan.addGroup(key: LineKey.escaped(name.text)) { tree.add(to: &$0) }
      }
    }
  }
}
