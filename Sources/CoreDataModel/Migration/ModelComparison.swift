/// Compares two models entity by entity and property by property.
struct ModelComparison {
  let mapping: ModelMapping
  private(set) var changes: [ModelDifference.Change] = []

  init(mapping: ModelMapping) { self.mapping = mapping }

  mutating func run() {
    let (old, new) = (mapping.source, mapping.destination)
    compare(
      .versionIdentifiers, "", nil, Self.list(old.versionIdentifiers),
      Self.list(new.versionIdentifiers))
    compareNamed(.configuration, "", old.configurations, new.configurations) { Self.list($0) }
    for entity in mapping.entities {
      switch (entity.sourceName.flatMap { old[$0] }, entity.destinationName.flatMap { new[$0] }) {
      case (let before?, let after?): compare(before, after)
      case (nil, let after?): note(.added, after.name)
      case (let before?, nil): note(.removed, before.name)
      case (nil, nil): break
      }
    }
  }

  // MARK: Entities

  private mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
    let name = new.name
    compare(.name, name, nil, old.name, new.name)
    compare(.className, name, nil, old.className, new.className)
    compare(.abstract, name, nil, old.isAbstract, new.isAbstract)
    let parent = old.superentityName.map { mapping.mapping(from: $0)?.destinationName ?? $0 }
    if parent != new.superentityName {
      compare(.superentity, name, nil, old.superentityName ?? "none", new.superentityName ?? "none")
    }
    compareSets(.uniqueness, name, old.uniquenessConstraints, new.uniquenessConstraints)
    compareSets(.compoundIndex, name, old.compoundIndexes, new.compoundIndexes)
    compareNamed(
      .fetchIndex, name, Self.byName(old.fetchIndexes), Self.byName(new.fetchIndexes),
      Self.text(of:))
    compare(.renamingIdentifier, name, nil, old.renamingIdentifier, new.renamingIdentifier)
    compare(.versionHashModifier, name, nil, old.versionHashModifier, new.versionHashModifier)
    compareUserInfo(name, nil, old.userInfo, new.userInfo)
    compareProperties(old, new)
  }

  private mutating func compareProperties(_ old: EntityDescription, _ new: EntityDescription) {
    let before = Self.properties(of: old)
    let after = Self.properties(of: new)
    let matching = IdentifierMatching(
      from: before.values.map(\.item), to: after.values.map(\.item))
    var used: Set<ExactString> = []
    for name in after.sortedNames {
      guard let property = after[name] else { continue }
      guard let oldName = matching.sources[name], let found = before[oldName] else {
        note(.added, new.name, name)
        continue
      }
      used.insert(oldName)
      compare(.name, new.name, name, oldName, name)
      compare(found, property, new.name, name)
    }
    for name in before.sortedNames where !used.contains(name) {
      note(.removed, new.name, name)
    }
  }

  private mutating func compare(
    _ old: Property, _ new: Property, _ entity: String, _ name: String
  ) {
    switch (old, new) {
    case (.attribute(let before), .attribute(let after)): compare(before, after, entity, name)
    case (.relationship(let before), .relationship(let after)):
      compare(before, after, entity, name)
    case (.fetched(let before), .fetched(let after)): compare(before, after, entity, name)
    default: compare(.kind, entity, name, old.words, new.words)
    }
  }

  // MARK: What is noted

  mutating func note(
    _ kind: ModelDifference.Change.Kind, _ entity: String, _ property: String? = nil,
    _ aspect: ModelAspect? = nil, old: String? = nil, new: String? = nil
  ) {
    changes.append(
      ModelDifference.Change(
        kind: kind, entityName: entity, propertyName: property, aspect: aspect, oldValue: old,
        newValue: new))
  }

  mutating func compare(
    _ aspect: ModelAspect, _ entity: String, _ property: String?, _ old: String?, _ new: String?
  ) {
    guard old != new else { return }
    note(.changed, entity, property, aspect, old: old, new: new)
  }

  mutating func compare(
    _ aspect: ModelAspect, _ entity: String, _ property: String?, _ old: Bool, _ new: Bool
  ) {
    compare(aspect, entity, property, old ? "yes" : "no", new ? "yes" : "no")
  }

  mutating func compareUserInfo(
    _ entity: String, _ property: String?, _ old: [ExactString: ModelValue],
    _ new: [ExactString: ModelValue]
  ) {
    guard old != new else { return }
    compare(
      .userInfo, entity, property, ModelValue.dictionary(old).formatDescription,
      ModelValue.dictionary(new).formatDescription)
  }

  private mutating func compareSets(
    _ aspect: ModelAspect, _ entity: String, _ old: [[String]], _ new: [[String]]
  ) {
    for list in new where !old.contains(list) {
      note(.added, entity, nil, aspect, new: Self.list(list))
    }
    for list in old where !new.contains(list) {
      note(.removed, entity, nil, aspect, old: Self.list(list))
    }
  }

  private mutating func compareNamed<T: Equatable>(
    _ aspect: ModelAspect, _ entity: String, _ old: [ExactString: T], _ new: [ExactString: T],
    _ text: (T) -> String
  ) {
    for name in Set(old.keys).union(new.keys).sortedNames
    where old[name] != new[name] {
      let (before, after) = (old[name].map(text), new[name].map(text))
      let label = { (text: String) in "\(name) (\(text))" }
      switch (before, after) {
      case (nil, let after?): note(.added, entity, nil, aspect, new: label(after))
      case (let before?, nil): note(.removed, entity, nil, aspect, old: label(before))
      default:
        compare(aspect, entity, nil, before.map(label), after.map(label))
      }
    }
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  private static func byName(
    _ indexes: [FetchIndexDescription]
  ) -> [ExactString: FetchIndexDescription] {
    Dictionary(indexes.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func text(of index: FetchIndexDescription) -> String {
    let elements = index.elements.map { element in
      let what = element.propertyName ?? element.expression?.formatDescription ?? ""
      return element.isAscending ? what : "\(what) descending"
    }
    let condition = index.partialIndexPredicate.map { " where \($0.formatDescription)" } ?? ""
    return list(elements) + condition
  }
}
