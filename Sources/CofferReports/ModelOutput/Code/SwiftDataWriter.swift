internal import CoreDataModel

/// Writes `@Model` classes of SwiftData.
///
/// Source: Apple, "Preserving your app's model data across launches", and the declarations of the macros
/// `Attribute`, `Relationship`, `Unique` and `Index`.
struct SwiftDataWriter {
  private let model: ManagedObjectModel
  private static let schema = "ModelSchema"

  init(_ model: ManagedObjectModel) { self.model = model }

  mutating func write(to lines: inout CodeLines) {
    lines.add("import Foundation")
    lines.add("import SwiftData")
    lines.add()
    let models = model.entities.map { "\(SwiftText.name("\($0.name)")).self" }
    lines.add("enum \(Self.schema): VersionedSchema {")
    lines.add("  static var versionIdentifier: Schema.Version { Schema.Version(\(version)) }")
    lines.add("  static var models: [any PersistentModel.Type] {")
    lines.add("    [\(models.joined(separator: ", "))]")
    lines.add("  }")
    lines.add("}")
    for entity in model.entitiesFromRoots { write(entity, to: &lines) }
    for name in model.configurations.keys.sorted() {
      lines.omit("the configuration \(name)", of: nil)
    }
    for name in model.fetchRequestTemplateNames {
      lines.omit("the fetch request \(name)", of: nil)
    }
  }

  /// The first version identifier that is a version, as arguments.
  private var version: String {
    for identifier in model.versionIdentifiers {
      let numbers = "\(identifier)".split(separator: ".", omittingEmptySubsequences: false)
        .map { Int($0) }
      guard !numbers.isEmpty, numbers.count <= 3, !numbers.contains(nil) else { continue }
      let filled = numbers.compactMap(\.self) + [0, 0, 0]
      return filled.prefix(3).map(String.init).joined(separator: ", ")
    }
    return "1, 0, 0"
  }

  private func write(_ entity: EntityDescription, to lines: inout CodeLines) {
    let name = SwiftText.name("\(entity.name)")
    let parent = entity.superentityName.map { ": \(SwiftText.name("\($0)"))" } ?? ""
    let isFinal = model.subentityNames(of: entity.name).isEmpty
    lines.add()
    lines.add("extension \(Self.schema) {")
    // Inheritance of models came with the systems of 2025.
    if !parent.isEmpty { lines.add("  @available(iOS 26, macOS 26, tvOS 26, watchOS 26, *)") }
    lines.add("  @Model")
    lines.add("  \(isFinal ? "final " : "")class \(name)\(parent) {")
    for line in macros(of: entity, &lines) { lines.add("    \(line)") }
    for attribute in entity.attributes { write(attribute, of: entity, to: &lines) }
    for relationship in entity.relationships { write(relationship, of: entity, to: &lines) }
    writeInitializer(of: entity, to: &lines)
    lines.add("  }")
    lines.add("}")
    noteOmissions(of: entity, &lines)
  }

  // MARK: Constraints

  /// The macros for constraints of several properties, and for indexes.
  private func macros(of entity: EntityDescription, _ lines: inout CodeLines) -> [String] {
    let unique = entity.uniquenessConstraints.filter { !isOption($0.map { "\($0)" }, of: entity) }
      .map { $0.map { "\($0)" } }
    var indexes = entity.compoundIndexes.map { $0.map { "\($0)" } }
    indexes += entity.attributes.filter(\.isIndexed).map { ["\($0.name)"] }
    indexes += entity.relationships.filter(\.isIndexed).map { ["\($0.name)"] }
    for index in entity.fetchIndexes {
      let names = index.elements.compactMap { element in
        element.isAscending && element.kind == 0 ? element.propertyName.map { "\($0)" } : nil
      }
      guard names.count == index.elements.count, index.partialIndexPredicate == nil else {
        lines.omit("the index \(index.name)", of: "\(entity.name)")
        continue
      }
      indexes.append(names)
    }
    let name = SwiftText.name("\(entity.name)")
    return [("Unique", unique), ("Index", indexes)].filter { !$0.1.isEmpty }.map { macro, lists in
      let paths = lists.map { list in
        "[" + list.map { "\\.\(SwiftText.name($0))" }.joined(separator: ", ") + "]"
      }
      return "#\(macro)<\(name)>(\(paths.joined(separator: ", ")))"
    }
  }

  private func isOption(_ constraint: [String], of entity: EntityDescription) -> Bool {
    constraint.count == 1
      && (entity.attributes.contains { "\($0.name)" == constraint[0] }
        || entity.relationships.contains { "\($0.name)" == constraint[0] })
  }

  private func isUnique(_ name: String, _ entity: EntityDescription) -> Bool {
    entity.uniquenessConstraints.contains { $0.map { "\($0)" } == [name] }
  }

  // MARK: Attributes

  private func write(
    _ attribute: AttributeDescription, of entity: EntityDescription, to lines: inout CodeLines
  ) {
    let (name, place) = ("\(attribute.name)", "\(entity.name).\(attribute.name)")
    if let derivation = attribute.derivation {
      lines.omit("the derivation \(derivation.expression.formatDescription)", of: place)
    }
    let value = SwiftText.defaultValue(attribute)
    if attribute.defaultValue != nil, value == nil { lines.omit("its default value", of: place) }
    if let line = options(attribute, entity) { lines.add("    \(line)") }
    let type = SwiftText.type(attribute) ?? SwiftText.capitalized(name)
    let given =
      value
      ?? (attribute.isTransient && !attribute.isOptional ? SwiftText.emptyValue(attribute) : nil)
    lines.add(
      "    var \(SwiftText.name(name)): \(type)\(attribute.isOptional ? "?" : "")"
        + (given.map { " = \($0)" } ?? ""))
    if attribute.isComposite { writeStructure(of: attribute, to: &lines, indent: "    ") }
  }

  private func options(_ attribute: AttributeDescription, _ entity: EntityDescription) -> String? {
    if attribute.isTransient { return "@Transient" }
    var options: [String] = []
    if isUnique("\(attribute.name)", entity) { options.append(".unique") }
    if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
    if attribute.isIndexedBySpotlight { options.append(".spotlight") }
    if attribute.allowsCloudEncryption { options.append(".allowsCloudEncryption") }
    if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
    if attribute.type == .transformable, let name = attribute.valueTransformerName {
      options.append(".transformable(by: \(SwiftText.quoted("\(name)")))")
    }
    if let old = attribute.renamingIdentifier {
      options.append("originalName: \(SwiftText.quoted("\(old)"))")
    }
    if let modifier = attribute.versionHashModifier {
      options.append("hashModifier: \(SwiftText.quoted("\(modifier)"))")
    }
    return options.isEmpty ? nil : "@Attribute(\(options.joined(separator: ", ")))"
  }

  private func writeStructure(
    of attribute: AttributeDescription, to lines: inout CodeLines, indent: String
  ) {
    lines.add("\(indent)struct \(SwiftText.capitalized("\(attribute.name)")): Codable {")
    for element in attribute.elements {
      let type = SwiftText.type(element) ?? SwiftText.capitalized("\(element.name)")
      let value = SwiftText.defaultValue(element).map { " = \($0)" } ?? ""
      lines.add(
        "\(indent)  var \(SwiftText.name("\(element.name)")): \(type)\(element.isOptional ? "?" : "")\(value)"
      )
      if element.isComposite { writeStructure(of: element, to: &lines, indent: indent + "  ") }
    }
    lines.add("\(indent)}")
  }

  // MARK: Relationships

  private func write(
    _ relationship: RelationshipDescription, of entity: EntityDescription,
    to lines: inout CodeLines
  ) {
    let name = SwiftText.name("\(relationship.name)")
    let destination = SwiftText.name("\(relationship.destinationName)")
    if let line = options(relationship, entity) { lines.add("    \(line)") }
    let mark = relationship.isOptional ? "?" : ""
    guard relationship.isToMany else {
      lines.add("    var \(name): \(destination)\(mark)")
      return
    }
    lines.add("    var \(name): [\(destination)]\(mark)\(mark.isEmpty ? " = []" : "")")
    if relationship.isOrdered { lines.omit("its order", of: "\(entity.name).\(relationship.name)") }
  }

  private func options(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> String? {
    var options: [String] = []
    if isUnique("\(relationship.name)", entity) { options.append(".unique") }
    switch relationship.deleteRule {
    case .nullify: break
    case .noAction: options.append("deleteRule: .noAction")
    case .cascade: options.append("deleteRule: .cascade")
    case .deny: options.append("deleteRule: .deny")
    }
    if relationship.isToMany, relationship.minCount > 0 {
      options.append("minimumModelCount: \(relationship.minCount)")
    }
    if relationship.isToMany, relationship.maxCount > 1 {
      options.append("maximumModelCount: \(relationship.maxCount)")
    }
    if let old = relationship.renamingIdentifier {
      options.append("originalName: \(SwiftText.quoted("\(old)"))")
    }
    if let inverse = inverse(of: relationship, in: entity) {
      let owner = SwiftText.name("\(relationship.destinationName)")
      options.append("inverse: \\\(owner).\(SwiftText.name(inverse))")
    }
    if let modifier = relationship.versionHashModifier {
      options.append("hashModifier: \(SwiftText.quoted("\(modifier)"))")
    }
    return options.isEmpty ? nil : "@Relationship(\(options.joined(separator: ", ")))"
  }

  /// The inverse to name; nil on the side that must not, as macros that name each other are circular.
  private func inverse(
    of relationship: RelationshipDescription, in entity: EntityDescription
  ) -> String? {
    guard let found = model.inverse(of: relationship) else { return nil }
    let inverse = found.relationship
    if relationship.isToMany != inverse.isToMany {
      return relationship.isToMany ? "\(inverse.name)" : nil
    }
    let (own, other) = (
      "\(entity.name).\(relationship.name)", "\(found.declaredBy).\(inverse.name)"
    )
    return own.utf8.lexicographicallyPrecedes(other.utf8) ? "\(inverse.name)" : nil
  }

  // MARK: The initializer

  /// The required properties without a value, which an initializer sets.
  private func parameters(of entity: EntityDescription) -> [(name: String, type: String)] {
    let attributes = entity.attributes.filter {
      !$0.isOptional && !$0.isTransient && SwiftText.defaultValue($0) == nil
    }.map { attribute in
      ("\(attribute.name)", SwiftText.type(attribute) ?? SwiftText.capitalized("\(attribute.name)"))
    }
    let relationships = entity.relationships.filter { !$0.isOptional && !$0.isToMany }
      .map { ("\($0.name)", SwiftText.name("\($0.destinationName)")) }
    return attributes + relationships
  }

  private func writeInitializer(of entity: EntityDescription, to lines: inout CodeLines) {
    let own = parameters(of: entity)
    let inherited = model.lineage(of: entity.name).filter { $0.name != entity.name }
      .reversed().flatMap { parameters(of: $0) }
    let list = (inherited + own).map { "\(SwiftText.name($0.name)): \($0.type)" }
    let isOverride = entity.superentityName != nil && own.isEmpty
    lines.add()
    lines.add("    \(isOverride ? "override " : "")init(\(list.joined(separator: ", "))) {")
    for parameter in own {
      lines.add("      self.\(SwiftText.name(parameter.name)) = \(SwiftText.name(parameter.name))")
    }
    if entity.superentityName != nil {
      let passed = inherited.map { "\($0.name): \(SwiftText.name($0.name))" }
      lines.add("      super.init(\(passed.joined(separator: ", ")))")
    }
    lines.add("    }")
  }

  private func noteOmissions(of entity: EntityDescription, _ lines: inout CodeLines) {
    if entity.isAbstract { lines.omit("that it is abstract", of: "\(entity.name)") }
    for property in entity.fetchedProperties {
      lines.omit("the fetched property", of: "\(entity.name).\(property.name)")
    }
    let rules =
      entity.attributes.filter { !$0.validationPredicates.isEmpty }.map { "\($0.name)" }
      + entity.relationships.filter { !$0.validationPredicates.isEmpty }.map { "\($0.name)" }
    for name in rules { lines.omit("its validation", of: "\(entity.name).\(name)") }
  }
}
