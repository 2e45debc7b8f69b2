internal import CofferCore
internal import CoreDataModel

/// Chooses the rule for matching the objects of an entity: the first that applies.
struct RuleChoice {
  /// A rule, the entity that it is for, and the columns in both sources.
  typealias Chosen = (
    entityName: Name, rule: MatchingRule, columns: (first: [KeyColumn], second: [KeyColumn])
  )

  private let first: ManagedObjectModel
  private let second: ManagedObjectModel
  private let naturalKeys: [Name: [Name]]
  private let usesConstraints: Bool
  /// The entities that both models have.
  let commonEntities: Set<Name>

  init(
    _ first: ManagedObjectModel, _ second: ManagedObjectModel, _ naturalKeys: [NaturalKey],
    usesConstraints: Bool
  ) {
    self.usesConstraints = usesConstraints
    self.first = first
    self.second = second
    self.naturalKeys = Dictionary(naturalKeys.map { ($0.entityName, $0.keyPaths) }) { $1 }
    commonEntities = Set(first.entities.map(\.name))
      .intersection(second.entities.map(\.name))
  }

  /// Checks that both sources have the entities of the natural keys.
  func check(paths: (first: String, second: String)) throws(CofferError) {
    for name in naturalKeys.keys.sorted() {
      for (model, path) in [(first, paths.first), (second, paths.second)] where model[name] == nil {
        throw CofferError(
          .noSuchEntity, path: path, detail: name.text,
          advice: .chooseEntity(model.entities.map(\.name)))
      }
    }
  }

  /// The rule of an entity that both sources have; nil if only the primary key identifies its
  /// objects.
  ///
  /// - Throws: ``CofferError`` with `no-such-property` for a natural key that cannot be used.
  func rule(
    of entity: Name, _ first: some RowSource, _ second: some RowSource
  ) throws(CofferError) -> Chosen? {
    let finders = (
      KeyPathFinder(source: first) { keyPaths(of: $0) },
      KeyPathFinder(source: second) { keyPaths(of: $0) }
    )
    if let (declarer, paths) = naturalKey(of: entity) {
      let columns = (
        try Self.columns(finders.0, paths, entity), try Self.columns(finders.1, paths, entity)
      )
      return (declarer, .naturalKey(paths), columns)
    }
    for (declarer, names) in constraints(of: entity) {
      guard let one = try? finders.0.find(names, of: entity),
        let other = try? finders.1.find(names, of: entity)
      else { continue }
      return (declarer, .uniquenessConstraint(names), (one, other))
    }
    return nil
  }

  private static func columns(
    _ finder: KeyPathFinder<some RowSource>, _ paths: [Name], _ entity: Name
  ) throws(CofferError) -> [KeyColumn] {
    do throws(KeyPathProblem) {
      return try finder.find(paths, of: entity)
    } catch {
      throw CofferError(error, path: finder.source.path)
    }
  }

  /// The properties that identify the destination of a relationship; empty if its primary key does.
  private func keyPaths(of entity: Name) -> [Name] {
    naturalKey(of: entity)?.paths ?? constraints(of: entity).first?.names ?? []
  }

  private func naturalKey(of entity: Name) -> (entityName: Name, paths: [Name])? {
    for name in first.lineage(of: entity).map(\.name).reversed() {
      if let paths = naturalKeys[name] { return (name, paths) }
    }
    return nil
  }

  /// The uniqueness constraints that both models have for an entity, inherited ones first.
  private func constraints(of entity: Name) -> [(entityName: Name, names: [Name])] {
    guard usesConstraints else { return [] }
    func all(_ model: ManagedObjectModel) -> [(Name, [Name])] {
      model.lineage(of: entity).flatMap { above in
        above.uniquenessConstraints.filter { !$0.isEmpty }.map { (above.name, $0) }
      }
    }
    let others = Set(all(second).map { Set($0.1) })
    return all(first).filter { others.contains(Set($0.1)) }
  }
}
