internal import CoreDataModel

/// Writes subclasses of `NSManagedObject` in Swift, as Xcode generates them.
///
/// A model does not say whether a property is a scalar: required numbers are, and optional ones are objects, so
/// that no value is not zero.
struct SwiftClassWriter {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  func write(to lines: inout CodeLines) {
    lines.add("import CoreData")
    lines.add("import Foundation")
    for (entity, className) in model.classes(&lines) { write(entity, className, to: &lines) }
  }

  private func write(_ entity: EntityDescription, _ className: String, to lines: inout CodeLines) {
    let name = SwiftText.name(className)
    let parent =
      entity.superentityName.flatMap { model[$0] }.map { SwiftText.name($0.generatedClassName) }
      ?? "NSManagedObject"
    lines.add()
    lines.add("@objc(\(className))")
    lines.add("public class \(name): \(parent) {")
    lines.add("}")
    lines.add()
    lines.add("extension \(name) {")
    lines.add("  @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {")
    lines.add("    NSFetchRequest<\(name)>(entityName: \(SwiftText.quoted("\(entity.name)")))")
    lines.add("  }")
    lines.add()
    for attribute in entity.attributes {
      lines.add(
        "  @NSManaged public var \(SwiftText.name("\(attribute.name)")): \(type(attribute))")
    }
    for relationship in entity.relationships {
      lines.add(
        "  @NSManaged public var \(SwiftText.name("\(relationship.name)")): \(type(relationship))?")
    }
    for property in entity.fetchedProperties {
      lines.add("  @NSManaged public var \(SwiftText.name("\(property.name)")): [NSManagedObject]")
    }
    lines.add("}")
    for relationship in entity.relationships where relationship.isToMany {
      writeAccessors(relationship, name, to: &lines)
    }
  }

  private func type(_ attribute: AttributeDescription) -> String {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean:
      attribute.isOptional ? "NSNumber?" : SwiftText.type(attribute) ?? "NSNumber?"
    case .decimal: "NSDecimalNumber?"
    case .composite: "[String: Any]?"
    case .objectID: "NSManagedObjectID?"
    default: "\(SwiftText.type(attribute) ?? "NSObject")?"
    }
  }

  private func className(_ relationship: RelationshipDescription) -> String {
    SwiftText.name(model[relationship.destinationName]?.generatedClassName ?? "NSManagedObject")
  }

  private func type(_ relationship: RelationshipDescription) -> String {
    guard relationship.isToMany else { return className(relationship) }
    return relationship.isOrdered ? "NSOrderedSet" : "NSSet"
  }

  private func writeAccessors(
    _ relationship: RelationshipDescription, _ owner: String, to lines: inout CodeLines
  ) {
    let name = "\(relationship.name)"
    let (part, element) = (SwiftText.capitalized(name), className(relationship))
    let set = type(relationship)
    func add(_ selector: String, _ declaration: String) {
      lines.add()
      lines.add("  @objc(\(selector))")
      lines.add("  @NSManaged public func \(declaration)")
    }
    lines.add()
    lines.add("// MARK: Generated accessors for \(name)")
    lines.add("extension \(owner) {")
    if relationship.isOrdered {
      add("insertObject:in\(part)AtIndex:", "insertInto\(part)(_ value: \(element), at index: Int)")
      add("removeObjectFrom\(part)AtIndex:", "removeFrom\(part)(at index: Int)")
      add(
        "insert\(part):atIndexes:",
        "insertInto\(part)(_ values: [\(element)], at indexes: NSIndexSet)")
      add("remove\(part)AtIndexes:", "removeFrom\(part)(at indexes: NSIndexSet)")
      add(
        "replaceObjectIn\(part)AtIndex:withObject:",
        "replace\(part)(at index: Int, with value: \(element))")
      add(
        "replace\(part)AtIndexes:with\(part):",
        "replace\(part)(at indexes: NSIndexSet, with values: [\(element)])")
    }
    add("add\(part)Object:", "addTo\(part)(_ value: \(element))")
    add("remove\(part)Object:", "removeFrom\(part)(_ value: \(element))")
    add("add\(part):", "addTo\(part)(_ values: \(set))")
    add("remove\(part):", "removeFrom\(part)(_ values: \(set))")
    lines.add("}")
  }
}

extension ManagedObjectModel {
  /// The entities with the names of their classes, each after its superentity; an entity whose class another one has
  /// is left out.
  func classes(_ lines: inout CodeLines) -> [(EntityDescription, String)] {
    var owners: [String: EntityDescription] = [:]
    var classes: [(EntityDescription, String)] = []
    for entity in entitiesFromRoots {
      let name = entity.generatedClassName
      if let owner = owners[name] {
        lines.omit("its own class: it has the class of \(owner.name)", of: "\(entity.name)")
        continue
      }
      owners[name] = entity
      classes.append((entity, name))
    }
    return classes
  }
}
