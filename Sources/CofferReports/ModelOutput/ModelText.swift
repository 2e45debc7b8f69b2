public import CoreDataModel

/// A model as text: one block per entity.
package struct ModelText: Sendable {
  /// An entity, or the facts about the model as a whole.
  package struct Block: Sendable, Equatable {
    /// The heading: the entity and its superentity.
    package let title: String
    /// The lines of the block, indented and aligned.
    package let lines: [String]
  }

  /// The blocks: the entities in the order of the model, then the model as a whole, if necessary.
  package let blocks: [Block]

  /// Describes a model.
  package init(_ model: ManagedObjectModel) {
    var blocks = model.entities.map(Self.block)
    var whole = Table(title: nil)
    let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty { whole.add("version", identifiers.joined(separator: ", ")) }
    for (name, members) in model.configurations.sorted(by: { $0.key < $1.key }) {
      whole.add("configuration \(name)", members.joined(separator: ", "))
    }
    if !model.fetchRequestTemplateNames.isEmpty {
      whole.add("fetch requests", model.fetchRequestTemplateNames.joined(separator: ", "))
    }
    if !whole.lines.isEmpty { blocks.append(Block(title: "Model", lines: whole.lines)) }
    self.blocks = blocks
  }

  /// All blocks, with an empty line between them.
  package var text: String {
    blocks.map { ([$0.title] + $0.lines).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// Names and texts in two columns.
  private struct Table {
    let title: String?
    private var rows: [(name: String, text: String)] = []

    init(title: String?) { self.title = title }

    mutating func add(_ name: String, _ text: String) { rows.append((name, text)) }

    var lines: [String] {
      guard !rows.isEmpty else { return [] }
      let width = rows.map(\.name.count).filter { $0 <= 34 }.max() ?? 0
      let indent = title == nil ? "  " : "    "
      let list = rows.map { name, text in
        indent + name + String(repeating: " ", count: max(0, width - name.count)) + "  " + text
      }
      return (title.map { ["  \($0)"] } ?? []) + list
    }
  }

  private static func block(_ entity: EntityDescription) -> Block {
    var title = entity.name.text
    if let parent = entity.superentityName { title += ": \(parent)" }
    if entity.isAbstract { title += ", abstract" }
    if let name = entity.className, name != entity.name { title += ", class \(name)" }
    var attributes = Table(title: "attributes")
    for attribute in entity.attributes { add(attribute, to: &attributes, indent: "") }
    var relationships = Table(title: "relationships")
    for relationship in entity.relationships {
      relationships.add(relationship.name.text, text(of: relationship))
    }
    var fetched = Table(title: "fetched properties")
    for property in entity.fetchedProperties { fetched.add(property.name.text, text(of: property)) }
    var rest = Table(title: nil)
    if !entity.uniquenessConstraints.isEmpty {
      rest.add("unique", lists(entity.uniquenessConstraints))
    }
    for index in entity.fetchIndexes { rest.add("index", text(of: index)) }
    if !entity.compoundIndexes.isEmpty {
      rest.add("compound indexes", lists(entity.compoundIndexes))
    }
    if let old = entity.renamingIdentifier { rest.add("renamed from", old.text) }
    if let modifier = entity.versionHashModifier { rest.add("hash modifier", modifier.text) }
    if !entity.userInfo.isEmpty { rest.add("user info", text(of: entity.userInfo)) }
    return Block(
      title: title,
      lines: attributes.lines + relationships.lines + fetched.lines + rest.lines)
  }

  private static func lists(_ lists: [[Name]]) -> String {
    lists.map { $0.joined(separator: " + ") }.joined(separator: ", ")
  }

  // MARK: Properties

  private static func add(
    _ attribute: AttributeDescription, to table: inout Table, indent: String
  ) {
    var notes = [attribute.type.name]
    func note(_ text: String, when isSo: Bool) { if isSo { notes.append(text) } }
    note("optional", when: attribute.isOptional)
    note("transient", when: attribute.isTransient)
    if let derivation = attribute.derivation {
      notes.append("derived: \(derivation.expression.formatDescription)")
      if let filter = derivation.filteringPredicate {
        notes.append("of those with \(filter.formatDescription)")
      }
    } else {
      note("read-only", when: attribute.isReadOnly)
    }
    if let text = attribute.defaultText { notes.append("default \(text)") }
    notes += attribute.validationPredicates.map(\.predicate.formatDescription)
    note("indexed", when: attribute.isIndexed)
    note("external storage", when: attribute.allowsExternalBinaryDataStorage)
    note("encrypted in the cloud", when: attribute.allowsCloudEncryption)
    note("kept in history", when: attribute.preservesValueInHistoryOnDeletion)
    note("in Spotlight", when: attribute.isIndexedBySpotlight)
    if let name = attribute.valueTransformerName { notes.append("transformer \(name)") }
    if attribute.type == .transformable || attribute.type == .undefined,
      let name = attribute.valueClassName
    {
      notes.append("class \(name)")
    }
    notes += shared(
      attribute.renamingIdentifier?.text, attribute.versionHashModifier?.text, attribute.userInfo)
    table.add(indent + attribute.name.text, notes.joined(separator: ", "))
    for element in attribute.elements { add(element, to: &table, indent: indent + "  ") }
  }

  private static func text(of relationship: RelationshipDescription) -> String {
    var notes = ["→ \(relationship.destinationName)", relationship.cardinality]
    if relationship.isOrdered { notes.append("ordered") }
    if relationship.isTransient { notes.append("transient") }
    notes.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
    notes.append("on delete: \(relationship.deleteRule.name)")
    notes += relationship.validationPredicates.map(\.predicate.formatDescription)
    notes += shared(
      relationship.renamingIdentifier?.text, relationship.versionHashModifier?.text,
      relationship.userInfo)
    return notes.joined(separator: ", ")
  }

  private static func text(of property: FetchedPropertyDescription) -> String {
    var text = "→ \(property.fetchedEntityName ?? "?")"
    if let predicate = property.predicate { text += " where \(predicate.formatDescription)" }
    if !property.sortDescriptors.isEmpty {
      let keys = property.sortDescriptors.map { "\($0.key ?? "SELF")\($0.isAscending ? "" : " ↓")" }
      text += ", sorted by \(keys.joined(separator: ", "))"
    }
    if property.fetchLimit > 0 { text += ", at most \(property.fetchLimit)" }
    return text
  }

  private static func text(of index: FetchIndexDescription) -> String {
    let parts = index.elements.map { element in
      let name = element.propertyName?.text ?? element.expression?.formatDescription ?? "?"
      return name + (element.isAscending ? "" : " ↓") + (element.kind == 1 ? " (R-tree)" : "")
    }
    let filter = index.partialIndexPredicate.map { " where \($0.formatDescription)" } ?? ""
    return "\(index.name): \(parts.joined(separator: ", "))\(filter)"
  }

  private static func shared(
    _ old: String?, _ modifier: String?, _ userInfo: [Name: ModelValue]
  ) -> [String] {
    var notes: [String] = []
    if let old { notes.append("renamed from \(old)") }
    if let modifier { notes.append("hash modifier \(modifier)") }
    if !userInfo.isEmpty { notes.append("user info \(text(of: userInfo))") }
    return notes
  }

  private static func text(of userInfo: [Name: ModelValue]) -> String {
    userInfo.sorted { $0.key < $1.key }
      .map { "\($0.key) = \($0.value.formatDescription)" }.joined(separator: "; ")
  }
}

extension RelationshipDescription {
  /// The cardinality as in diagrams: `0..1`, `1`, `0..*`, `1..*`, `2..5`.
  public var cardinality: String {
    guard isToMany else { return isOptional ? "0..1" : "1" }
    let least = allowedCount.mayBeEmpty ? 0 : allowedCount.minimum
    guard maxCount > 1 else { return "\(least)..*" }
    return least == maxCount ? "\(least)" : "\(least)..\(maxCount)"
  }
}
