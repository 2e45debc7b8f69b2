internal import CoreDataModel

/// Writes subclasses of `NSManagedObject` in Objective-C, as Xcode generates them, in one file.
///
/// A model does not say whether a property is a scalar: required numbers are, and optional ones are objects, so
/// that no value is not zero.
struct ObjectiveCClassWriter {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  func write(to lines: inout CodeLines) {
    let classes = model.classes(&lines)
    lines.add("#import <CoreData/CoreData.h>")
    lines.add("#import <Foundation/Foundation.h>")
    lines.add()
    if !classes.isEmpty { lines.add("@class \(classes.map(\.1).joined(separator: ", "));") }
    lines.add()
    lines.add("NS_ASSUME_NONNULL_BEGIN")
    for (entity, name) in classes { writeInterface(entity, name, to: &lines) }
    lines.add()
    lines.add("NS_ASSUME_NONNULL_END")
    for (entity, name) in classes { writeImplementation(entity, name, to: &lines) }
  }

  private func writeInterface(
    _ entity: EntityDescription, _ name: String, to lines: inout CodeLines
  ) {
    let parent =
      entity.superentityName.flatMap { model[$0] }?.generatedClassName ?? "NSManagedObject"
    lines.add()
    lines.add("@interface \(name) : \(parent)")
    lines.add()
    lines.add("+ (NSFetchRequest<\(name) *> *)fetchRequest NS_SWIFT_NAME(fetchRequest());")
    lines.add()
    for attribute in entity.attributes { lines.add(declaration(attribute)) }
    for relationship in entity.relationships {
      lines.add(
        "@property (nullable, nonatomic, retain) \(type(relationship)) *\(relationship.name);")
    }
    for property in entity.fetchedProperties {
      lines.add("@property (nullable, nonatomic, readonly) NSArray *\(property.name);")
    }
    lines.add()
    lines.add("@end")
    let toMany = entity.relationships.filter(\.isToMany)
    guard !toMany.isEmpty else { return }
    lines.add()
    lines.add("@interface \(name) (CoreDataGeneratedAccessors)")
    for relationship in toMany { writeAccessors(relationship, to: &lines) }
    lines.add()
    lines.add("@end")
  }

  private func declaration(_ attribute: AttributeDescription) -> String {
    let scalar: String? =
      switch attribute.type {
      case .integer16: "int16_t"
      case .integer32: "int32_t"
      case .integer64: "int64_t"
      case .double: "double"
      case .float: "float"
      case .boolean: "BOOL"
      default: nil
      }
    if let scalar, !attribute.isOptional {
      return "@property (nonatomic) \(scalar) \(attribute.name);"
    }
    let object: (String, copied: Bool) =
      switch attribute.type {
      case .decimal: ("NSDecimalNumber", true)
      case .string: ("NSString", true)
      case .date: ("NSDate", true)
      case .binary: ("NSData", false)
      case .uuid: ("NSUUID", true)
      case .uri: ("NSURL", true)
      case .composite: ("NSDictionary<NSString *, id>", true)
      case .objectID: ("NSManagedObjectID", false)
      case _ where scalar != nil: ("NSNumber", true)
      default: (Self.valueClass("\(attribute.valueClassName ?? "NSObject")"), false)
      }
    return
      "@property (nullable, nonatomic, \(object.copied ? "copy" : "retain")) \(object.0) *\(attribute.name);"
  }

  /// The class of a value; only a comment can name a type of Swift.
  private static func valueClass(_ name: String) -> String {
    let isGeneric = name.contains("*") && name.hasSuffix(">")
    return ModelCode.isIdentifier(name, or: isGeneric ? "<>*, " : "")
      ? name : "NSObject /* \(name) */"
  }

  private func className(_ relationship: RelationshipDescription) -> String {
    model[relationship.destinationName]?.generatedClassName ?? "NSManagedObject"
  }

  private func type(_ relationship: RelationshipDescription) -> String {
    let name = className(relationship)
    guard relationship.isToMany else { return name }
    return relationship.isOrdered ? "NSOrderedSet<\(name) *>" : "NSSet<\(name) *>"
  }

  private func writeAccessors(_ relationship: RelationshipDescription, to lines: inout CodeLines) {
    let (part, element) = (SwiftText.capitalized("\(relationship.name)"), className(relationship))
    let set = type(relationship)
    lines.add()
    if relationship.isOrdered {
      lines.add("- (void)insertObject:(\(element) *)value in\(part)AtIndex:(NSUInteger)index;")
      lines.add("- (void)removeObjectFrom\(part)AtIndex:(NSUInteger)index;")
      lines.add(
        "- (void)insert\(part):(NSArray<\(element) *> *)values atIndexes:(NSIndexSet *)indexes;")
      lines.add("- (void)remove\(part)AtIndexes:(NSIndexSet *)indexes;")
      lines.add(
        "- (void)replaceObjectIn\(part)AtIndex:(NSUInteger)index withObject:(\(element) *)value;")
      lines.add(
        "- (void)replace\(part)AtIndexes:(NSIndexSet *)indexes with\(part):(NSArray<\(element) *> *)values;"
      )
    }
    lines.add("- (void)add\(part)Object:(\(element) *)value;")
    lines.add("- (void)remove\(part)Object:(\(element) *)value;")
    lines.add("- (void)add\(part):(\(set) *)values;")
    lines.add("- (void)remove\(part):(\(set) *)values;")
  }

  private func writeImplementation(
    _ entity: EntityDescription, _ name: String, to lines: inout CodeLines
  ) {
    lines.add()
    lines.add("@implementation \(name)")
    lines.add()
    lines.add("+ (NSFetchRequest<\(name) *> *)fetchRequest {")
    lines.add(
      "  return [NSFetchRequest fetchRequestWithEntityName:@\(SwiftText.quoted("\(entity.name)"))];"
    )
    lines.add("}")
    lines.add()
    let names =
      entity.attributes.map { "\($0.name)" } + entity.relationships.map { "\($0.name)" }
      + entity.fetchedProperties.map { "\($0.name)" }
    for name in names { lines.add("@dynamic \(name);") }
    lines.add()
    lines.add("@end")
  }
}
