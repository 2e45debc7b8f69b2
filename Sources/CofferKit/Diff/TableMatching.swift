internal import CoreDataLayout
internal import CoreDataModel

/// Which table of one source belongs to which of the other.
struct TableMatching {
  /// Two tables that hold the same, or one that the other source lacks.
  struct Match {
    var first: TableLayout?
    var second: TableLayout?
    /// Whether the second is named after the inverse of the relationship that the first is named
    /// after.
    var isSwapped = false

    /// The tables that are there.
    var shapes: [TableLayout] { [first, second].compactMap { $0 } }
  }

  /// All tables but those that say what the store is: first objects, then pairs, then the others,
  /// each in the order of the first source with those that only the second has behind them.
  let matches: [Match]

  init(_ first: some RowSource, _ second: some RowSource) {
    var matches: [Match] = []
    for group in [[.entity], [.relationship], Self.otherKinds] {
      let left = first.shapes.filter { group.contains($0.kind) }
      var right = second.shapes.filter { group.contains($0.kind) }
      for shape in left {
        let name = Self.name(of: shape, first.model)
        let position = right.firstIndex { Self.name(of: $0, second.model) == name }
        let other = position.map { right.remove(at: $0) }
        let isSwapped =
          other.map {
            shape.kind == .relationship
              && (!$0.entityName.hasSameBytes(as: shape.entityName)
                || !$0.relationshipName.hasSameBytes(as: shape.relationshipName))
          } ?? false
        matches.append(Match(first: shape, second: other, isSwapped: isSwapped))
      }
      matches += right.map { Match(first: nil, second: $0) }
    }
    self.matches = matches
  }

  private static let otherKinds: [TableLayout.Kind] = [.history, .cloudKit, .system, .unknown]

  /// What a table holds, by a name that does not depend on how the store calls it.
  private static func name(of shape: TableLayout, _ model: ManagedObjectModel) -> [ExactString] {
    let (entity, relationship) = (shape.entityName ?? "", shape.relationshipName ?? "")
    switch shape.kind {
    case .entity: return [ExactString(entity)]
    case .relationship:
      let own = [entity, relationship]
      guard let description = model.relationship(relationship, of: entity)?.relationship,
        let inverse = model.inverse(of: description)
      else { return own.map { ExactString($0) } }
      let other = [inverse.declaredBy, inverse.relationship.name]
      let ends = [own, other].sorted { left, right in
        left[0].hasSameBytes(as: right[0])
          ? codeUnitsAscend(left[1], right[1]) : codeUnitsAscend(left[0], right[0])
      }
      return ends.joined().map { ExactString($0) }
    default: return [ExactString(shape.storedName)]
    }
  }
}
