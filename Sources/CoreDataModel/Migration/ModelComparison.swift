/// Compares two models entity by entity and property by property.
struct ModelComparison {
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel
  private let scope: ModelDifference.Scope
  /// The entities to compare: the old name and the new name.
  private let pairs: [(old: Name?, new: Name?)]
  private let newNames: [Name: Name]
  /// Whether properties are the same by their renaming identifiers, not by their names alone.
  private let usesIdentifiers: Bool
  private(set) var changes: [ModelDifference.Change] = []
  /// The entities whose properties are being compared.
  private var entities: (old: EntityDescription, new: EntityDescription)?

  /// Compares everything of two versions.
  init(mapping: ModelMapping) {
    (old, new) = (mapping.source, mapping.destination)
    scope = .everything
    pairs = mapping.entities.map { ($0.sourceName, $0.destinationName) }
    newNames = Dictionary(
      mapping.entities.compactMap { entity in
        entity.sourceName.flatMap { name in entity.destinationName.map { (name, $0) } }
      }, uniquingKeysWith: { first, _ in first })
    usesIdentifiers = true
  }

  init(of old: ManagedObjectModel, and new: ManagedObjectModel, scope: ModelDifference.Scope) {
    (self.old, self.new, self.scope) = (old, new, scope)
    let names = Set((old.entities + new.entities).map(\.name))
    pairs = names.sorted().map {
      (old[$0] == nil ? nil : $0, new[$0] == nil ? nil : $0)
    }
    newNames = [:]
    usesIdentifiers = false
  }

  /// The name of an old entity in the new model; its own where that has none for it.
  func newName(of entity: Name) -> Name { newNames[entity] ?? entity }

  mutating func run() {
    if old.versionIdentifiers != new.versionIdentifiers {
      let (before, after) = (old.versionIdentifiers, new.versionIdentifiers)
      note(
        .changed, "", nil, .versionIdentifiers, old: before.isEmpty ? nil : Self.list(before),
        new: after.isEmpty ? nil : Self.list(after))
    }
    compareNamed(.configuration, "", old.configurations, new.configurations) { Self.list($0) }
    for pair in pairs {
      switch (pair.old.flatMap { old[$0] }, pair.new.flatMap { new[$0] }) {
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
    compare(.name, name, nil, old.name.text, new.name.text)
    compare(.className, name, nil, old.className?.text, new.className?.text)
    compare(.abstract, name, nil, old.isAbstract, new.isAbstract)
    let parent = old.superentityName.map { newName(of: $0) }
    if parent != new.superentityName {
      compare(
        .superentity, name, nil, old.superentityName?.text ?? "none",
        new.superentityName?.text ?? "none")
    }
    compareSets(.uniqueness, name, old.uniquenessConstraints, new.uniquenessConstraints)
    compareSets(
      .compoundIndex, name, old.compoundIndexes.filter { !new.hasIndex(of: $0) },
      new.compoundIndexes.filter { !old.hasIndex(of: $0) })
    compareNamed(
      .fetchIndex, name, Self.byName(old.fetchIndexes(besides: new)),
      Self.byName(new.fetchIndexes(besides: old)), Self.text(of:))
    compare(
      .renamingIdentifier, name, nil, old.renamingIdentifier?.text, new.renamingIdentifier?.text)
    compare(
      .versionHashModifier, name, nil, old.versionHashModifier?.text, new.versionHashModifier?.text)
    compareUserInfo(name, nil, old.userInfo, new.userInfo)
    entities = (old, new)
    compareProperties(old, new)
  }

  /// Whether both models have an index of a property, whichever way each of them asks for it.
  func haveIndex(_ old: Name, _ new: Name) -> Bool {
    guard let entities else { return false }
    return entities.old.hasIndex(of: [old]) && entities.new.hasIndex(of: [new])
  }

  private mutating func compareProperties(_ old: EntityDescription, _ new: EntityDescription) {
    let before = properties(of: old)
    let after = properties(of: new)
    let sources = sources(of: after, from: before)
    var used: Set<Name> = []
    for name in after.keys.sorted() {
      guard let property = after[name] else { continue }
      guard let oldName = sources[name], let found = before[oldName] else {
        note(.added, new.name, name)
        continue
      }
      used.insert(oldName)
      compare(.name, new.name, name, oldName.text, name.text)
      compare(found, property, new.name, name)
    }
    for name in before.keys.sorted() where !used.contains(name) {
      note(.removed, new.name, name)
    }
  }

  /// The old names of the new properties that have one.
  private func sources(of after: [Name: Property], from before: [Name: Property]) -> [Name: Name] {
    guard usesIdentifiers else {
      return Dictionary(uniqueKeysWithValues: after.keys.map { ($0, $0) })
    }
    return IdentifierMatching(from: before.values.map(\.item), to: after.values.map(\.item)).sources
  }

  private func properties(of entity: EntityDescription) -> [Name: Property] {
    var properties: [Name: Property] = [:]
    if scope == .everything {
      for property in entity.fetchedProperties { properties[property.name] = .fetched(property) }
    }
    for property in entity.relationships { properties[property.name] = .relationship(property) }
    for property in entity.attributes { properties[property.name] = .attribute(property) }
    return properties
  }

  private mutating func compare(_ old: Property, _ new: Property, _ entity: Name, _ name: Name) {
    switch (old, new) {
    case (.attribute(let before), .attribute(let after)): compare(before, after, entity, name)
    case (.relationship(let before), .relationship(let after)):
      compare(before, after, entity, name)
    case (.fetched(let before), .fetched(let after)): compare(before, after, entity, name)
    default: compare(.kind, entity, name, old.words, new.words)
    }
  }

  // MARK: Notes

  mutating func note(
    _ kind: ModelDifference.Change.Kind, _ entity: Name, _ property: Name? = nil,
    _ aspect: ModelAspect? = nil, old: String? = nil, new: String? = nil
  ) {
    if scope == .versionHash, let aspect, !aspect.entersVersionHash { return }
    changes.append(
      ModelDifference.Change(
        kind: kind, entityName: entity, propertyName: property, aspect: aspect, oldValue: old,
        newValue: new))
  }

  mutating func compare(
    _ aspect: ModelAspect, _ entity: Name, _ property: Name?, _ old: String?, _ new: String?
  ) {
    guard old.map({ Name($0) }) != new.map({ Name($0) }) else { return }
    note(.changed, entity, property, aspect, old: old, new: new)
  }

  mutating func compare(
    _ aspect: ModelAspect, _ entity: Name, _ property: Name?, _ old: Bool, _ new: Bool
  ) {
    compare(aspect, entity, property, old ? "yes" : "no", new ? "yes" : "no")
  }

  mutating func compareUserInfo(
    _ entity: Name, _ property: Name?, _ old: [Name: ModelValue],
    _ new: [Name: ModelValue]
  ) {
    guard old != new else { return }
    note(
      .changed, entity, property, .userInfo, old: ModelValue.dictionary(old).formatDescription,
      new: ModelValue.dictionary(new).formatDescription)
  }

  private mutating func compareSets(
    _ aspect: ModelAspect, _ entity: Name, _ old: [[Name]], _ new: [[Name]]
  ) {
    for list in new where !old.contains(list) {
      note(.added, entity, nil, aspect, new: Self.list(list))
    }
    for list in old where !new.contains(list) {
      note(.removed, entity, nil, aspect, old: Self.list(list))
    }
  }

  private mutating func compareNamed<T: Equatable>(
    _ aspect: ModelAspect, _ entity: Name, _ old: [Name: T], _ new: [Name: T],
    _ text: (T) -> String
  ) {
    for name in Set(old.keys).union(new.keys).sorted()
    where old[name] != new[name] {
      let (before, after) = (old[name].map(text), new[name].map(text))
      let label = { (text: String) in "\(name) (\(text))" }
      switch (before, after) {
      case (nil, let after?): note(.added, entity, nil, aspect, new: label(after))
      case (let before?, nil): note(.removed, entity, nil, aspect, old: label(before))
      default:
        note(.changed, entity, nil, aspect, old: before.map(label), new: after.map(label))
      }
    }
  }

  private static func list(_ names: [Name]) -> String { names.joined(separator: ", ") }

  private static func byName(_ indexes: [FetchIndexDescription]) -> [Name: FetchIndexDescription] {
    Dictionary(indexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func text(of index: FetchIndexDescription) -> String {
    let elements = index.elements.map { element in
      let what = element.propertyName?.text ?? element.expression?.formatDescription ?? ""
      return element.isAscending ? what : "\(what) descending"
    }
    let condition = index.partialIndexPredicate.map { " where \($0.formatDescription)" } ?? ""
    return elements.joined(separator: ", ") + condition
  }
}
