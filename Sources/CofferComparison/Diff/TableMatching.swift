package import CofferCore
package import CoreDataLayout
internal import CoreDataModel

/// The matching of the tables of two sources.
package struct TableMatching {
  /// Two corresponding tables, or one that the other source lacks.
  package struct Match {
    package var first: TableLayout?
    package var second: TableLayout?
    /// Whether the second is named after the inverse of the first's relationship.
    var isSwapped = false
    /// The objects of the first source that take part; nil for all.
    var firstEntities: EntityFilter? = nil
    /// The objects of the second source that take part; nil for all.
    var secondEntities: EntityFilter? = nil

    package init(
      first: TableLayout? = nil, second: TableLayout? = nil, isSwapped: Bool = false,
      firstEntities: EntityFilter? = nil, secondEntities: EntityFilter? = nil
    ) {
      self.first = first
      self.second = second
      self.isSwapped = isSwapped
      self.firstEntities = firstEntities
      self.secondEntities = secondEntities
    }

    var shapes: [TableLayout] { [first, second].compactMap { $0 } }
    /// Whether all objects of both take part.
    var isWhole: Bool { firstEntities == nil && secondEntities == nil }
  }

  /// All tables except the system tables: first objects, then pairs, then others.
  ///
  /// Each group is in the order of the first source, followed by tables that only the second has.
  let matches: [Match]

  init(_ first: some RowSource, _ second: some RowSource) {
    matches =
      Self.objects(first, second) + Self.pairs(first, second) + Self.others(first, second)
  }

  private static func shapes(
    _ source: some RowSource, _ kinds: [TableLayout.Kind]
  ) -> [TableLayout] {
    source.shapes.filter { kinds.contains($0.kind) }
  }

  // MARK: Objects

  /// The tables of objects, matched by root entity, except for entities that have another root on
  /// the other side.
  private static func objects(_ first: some RowSource, _ second: some RowSource) -> [Match] {
    let (left, right) = (shapes(first, [.entity]), shapes(second, [.entity]))
    let (old, new) = (roots(first, left), roots(second, right))
    /// The entities that both sides have in tables of different roots, by these roots.
    var moved: [[Name]: Set<Name>] = [:]
    for (entity, root) in old {
      if let other = new[entity], other != root {
        moved[[root, other], default: []].insert(entity)
      }
    }
    func others(_ root: Name, _ side: Int) -> EntityFilter? {
      let names = moved.filter { $0.key[side] == root }.values.reduce(Set()) { $0.union($1) }
      return names.isEmpty ? nil : .allBut(names)
    }
    var matches: [Match] = []
    for shape in left {
      let root = shape.entityName ?? ""
      let same = right.first { $0.entityName ?? "" == root }
      matches.append(
        Match(
          first: shape, second: same, firstEntities: others(root, 0),
          secondEntities: same == nil ? nil : others(root, 1)))
      for other in right {
        guard let names = moved[[root, other.entityName ?? ""]] else { continue }
        matches.append(
          Match(
            first: shape, second: other, firstEntities: .only(names), secondEntities: .only(names)))
      }
    }
    for shape in right where !left.contains(where: { $0.hasSameRoot(as: shape) }) {
      let root = shape.entityName ?? ""
      matches.append(Match(first: nil, second: shape, secondEntities: others(root, 1)))
    }
    return matches
  }

  private static func roots(
    _ source: some RowSource, _ shapes: [TableLayout]
  ) -> [Name: Name] {
    let tables = Set(shapes.compactMap(\.entityName))
    let parents = Dictionary(
      source.entities.entities.map { ($0.name, $0.superentityName) }
    ) { old, _ in old }
    var roots: [Name: Name] = [:]
    for entity in parents.keys {
      var (root, seen) = (entity, Set<Name>())
      while seen.insert(root).inserted, let parent = parents[root] ?? nil {
        root = parent
      }
      if tables.contains(root) { roots[entity] = root }
    }
    return roots
  }

  // MARK: Pairs

  /// The join tables, matched by relationship, whichever end they are named after, and
  /// whichever entity of the hierarchy declares it.
  private static func pairs(_ first: some RowSource, _ second: some RowSource) -> [Match] {
    let (left, right) = (shapes(first, [.relationship]), shapes(second, [.relationship]))
    var found: [Int: Match] = [:]
    var free = Set(right.indices)
    // By its own model first; the other model knows a relationship that moved within its hierarchy.
    for (old, new) in [
      (first.model, second.model), (second.model, second.model), (first.model, first.model),
    ] {
      let names = Dictionary(free.map { (name(right[$0], new), $0) }) { min($0, $1) }
      for (number, shape) in left.enumerated() where found[number] == nil {
        guard let position = names[name(shape, old)], free.remove(position) != nil else { continue }
        let other = right[position]
        found[number] = Match(
          first: shape, second: other,
          isSwapped: ends(of: shape, old).first != ends(of: other, new).first)
      }
    }
    return left.indices.map { found[$0] ?? Match(first: left[$0]) }
      + free.sorted().map { Match(second: right[$0]) }
  }

  /// The content of a join table, independent of the table's name in the store.
  private static func name(_ shape: TableLayout, _ model: ManagedObjectModel) -> [Name] {
    ends(of: shape, model).sorted { left, right in
      left[0] == right[0]
        ? left[1] < right[1]
        : left[0] < right[0]
    }.joined().map(\.self)
  }

  /// The relationship of a join table and its inverse, each with the entity that declares it.
  private static func ends(
    of shape: TableLayout, _ model: ManagedObjectModel
  ) -> [[Name]] {
    let (entity, relationship) = (shape.entityName ?? "", shape.relationshipName ?? "")
    guard let own = model.relationship(relationship, of: entity) else {
      return [[entity, relationship]]
    }
    return [own, model.inverse(of: own.relationship)].compactMap { end in
      end.map { [$0.declaredBy, $0.relationship.name] }
    }
  }

  // MARK: Others

  /// The other tables, matched by name.
  private static func others(_ first: some RowSource, _ second: some RowSource) -> [Match] {
    let kinds: [TableLayout.Kind] = [.history, .cloudKit, .system, .unknown]
    var right = shapes(second, kinds)
    let matches = shapes(first, kinds).map { shape in
      let position = right.firstIndex { $0.storedName.hasSameBytes(as: shape.storedName) }
      return Match(first: shape, second: position.map { right.remove(at: $0) })
    }
    return matches + right.map { Match(second: $0) }
  }
}

extension TableMatching.Match {
  /// The part of the tables that belongs to some entities; nil if there is none.
  func limited(
    to selection: EntitySelection, _ first: some RowSource, _ second: some RowSource
  ) -> Self? {
    guard let shape = shapes.first else { return nil }
    switch shape.kind {
    case .entity:
      var match = self
      match.firstEntities = Self.filter(firstEntities, self.first, first.model, selection)
      match.secondEntities = Self.filter(secondEntities, self.second, second.model, selection)
      return [match.firstEntities, match.secondEntities].allSatisfy { $0 == .only([]) }
        ? nil : match
    case .relationship:
      let model = self.first == nil ? second.model : first.model
      let entity = shape.entityName ?? ""
      let destination = model.relationship(shape.relationshipName ?? "", of: entity)?
        .relationship.destinationName
      let ends = [entity, destination ?? entity].flatMap { model.tree(of: $0).map(\.name) }
      return ends.contains(where: selection.contains) ? self : nil
    default: return nil
    }
  }

  private static func filter(
    _ filter: EntityFilter?, _ shape: TableLayout?, _ model: ManagedObjectModel,
    _ selection: EntitySelection
  ) -> EntityFilter? {
    guard let root = shape?.entityName else { return .only([]) }
    let all = Set(model.tree(of: root).map(\.name))
    let wanted = all.filter { selection.contains($0) }
    switch filter {
    case nil: return wanted == all ? nil : .only(wanted)
    case .only(let names): return .only(names.intersection(wanted))
    case .allBut(let names): return .only(wanted.subtracting(names))
    }
  }
}

extension TableLayout {
  func hasSameRoot(as other: TableLayout) -> Bool {
    (entityName ?? "") == (other.entityName ?? "")
  }
}
