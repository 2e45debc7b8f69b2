/// Builds the object list of a keyed archive and assembles the archive.
///
/// Objects can be added in any order. Reserve an object first if others must refer to it before you
/// can describe it. Equal scalars and class descriptions are archived once, as in Foundation.
struct KeyedArchiveBuilder {
  /// A reference to an archived object.
  struct Reference {
    fileprivate let position: Int
    /// The reference as the archive holds it.
    var value: PropertyListValue { .uid(UInt64(position)) }
  }

  private enum Key: Hashable {
    case string([UInt8]), integer(Int64), real(UInt64), bool(Bool), data([UInt8]), unsigned(UInt64)
    case classDescription(String)
  }

  private var objects: [PropertyListValue] = [.string("$null")]
  private var known: [Key: Reference] = [:]

  /// The reference to nil.
  static let null = PropertyListValue.uid(0)

  /// Reserves an object that will be described later.
  mutating func reserve() -> Reference {
    objects.append(.null)
    return Reference(position: objects.count - 1)
  }

  /// Describes a reserved object.
  mutating func fill(
    _ reference: Reference, _ className: String, _ fields: [(String, PropertyListValue)]
  ) {
    var entries = fields.map { PropertyListValue.Entry($0.0, $0.1) }
    entries.append(.init("$class", classDescription(className).value))
    objects[reference.position] = .dictionary(entries)
  }

  mutating func object(
    _ className: String, _ fields: [(String, PropertyListValue)]
  ) -> PropertyListValue {
    let reference = reserve()
    fill(reference, className, fields)
    return reference.value
  }

  /// Adds a string, or refers to nil.
  mutating func string(_ text: String?) -> PropertyListValue {
    guard let text else { return Self.null }
    // By bytes: Swift takes differently composed accents for equal.
    return scalar(.string(text), key: .string(Array(text.utf8)))
  }

  /// Adds a list of references.
  mutating func array(
    _ elements: [PropertyListValue], className: String = "NSArray"
  ) -> PropertyListValue {
    object(className, [("NS.objects", .array(elements))])
  }

  /// Adds a dictionary with string keys, in the given order.
  mutating func dictionary(
    _ entries: [(String, PropertyListValue)], className: String = "NSDictionary"
  ) -> PropertyListValue {
    let keys = entries.map { string($0.0) }
    return object(className, [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.1)))])
  }

  /// Adds a value, or refers to nil for nil and the null value.
  mutating func value(_ value: ModelValue?) -> PropertyListValue {
    guard let value else { return Self.null }
    var path: [(className: String, reference: Reference)] = []
    return self.value(value, path: &path)
  }

  private mutating func value(
    _ value: ModelValue, path: inout [(className: String, reference: Reference)]
  ) -> PropertyListValue {
    switch value {
    case .null: return Self.null
    case .bool(let flag): return scalar(.bool(flag), key: .bool(flag))
    case .integer(let number): return scalar(.integer(number), key: .integer(number))
    case .unsigned(let number):
      return scalar(.wideInteger(high: 0, low: number), key: .unsigned(number))
    case .real(let number): return scalar(.real(number), key: .real(number.bitPattern))
    case .string(let text): return string(text)
    case .data(let bytes): return scalar(.data(bytes), key: .data(bytes))
    case .date(let seconds): return object("NSDate", [("NS.time", .real(seconds))])
    case .uuid(let text):
      guard let bytes = UUIDText.bytes(text) else { return string(text) }
      return object("NSUUID", [("NS.uuidbytes", .data(bytes))])
    case .url(let text):
      return object("NSURL", [("NS.base", Self.null), ("NS.relative", string(text))])
    case .cycle(let className):
      guard let target = path.last(where: { $0.className == className }) else {
        return object(className, [])
      }
      return target.reference.value
    case .array(let values):
      return container("NSArray", path: &path) { builder, path in
        [("NS.objects", .array(values.map { builder.element($0, path: &path) }))]
      }
    case .dictionary(let values):
      return container("NSDictionary", path: &path) { builder, path in
        let sorted = values.sorted { $0.key < $1.key }
        return [
          ("NS.keys", .array(sorted.map { builder.string($0.key.text) })),
          ("NS.objects", .array(sorted.map { builder.element($0.value, path: &path) })),
        ]
      }
    case .object(let className, let fields):
      return container(className, path: &path) { builder, path in
        fields.sorted { $0.key < $1.key }
          .map { ($0.key.text, builder.field($0.value, path: &path)) }
      }
    }
  }

  private mutating func container(
    _ className: String, path: inout [(className: String, reference: Reference)],
    fields: (
      inout KeyedArchiveBuilder, inout [(className: String, reference: Reference)]
    ) -> [(String, PropertyListValue)]
  ) -> PropertyListValue {
    let reference = reserve()
    path.append((className, reference))
    let described = fields(&self, &path)
    path.removeLast()
    fill(reference, className, described)
    return reference.value
  }

  /// A value in a collection, which cannot contain nil.
  private mutating func element(
    _ value: ModelValue, path: inout [(className: String, reference: Reference)]
  ) -> PropertyListValue {
    value == .null ? object("NSNull", []) : self.value(value, path: &path)
  }

  /// A value of a field: numbers and Booleans are in the object itself.
  private mutating func field(
    _ value: ModelValue, path: inout [(className: String, reference: Reference)]
  ) -> PropertyListValue {
    switch value {
    case .bool(let flag): .bool(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    default: self.value(value, path: &path)
    }
  }

  private mutating func scalar(_ value: PropertyListValue, key: Key) -> PropertyListValue {
    if let reference = known[key] { return reference.value }
    objects.append(value)
    let reference = Reference(position: objects.count - 1)
    known[key] = reference
    return reference.value
  }

  private mutating func classDescription(_ className: String) -> Reference {
    if let reference = known[.classDescription(className)] { return reference }
    let reference = reserve()
    let names = [className] + ArchivedClasses.superclasses(of: className)
    objects[reference.position] = .dictionary([
      .init("$classname", .string(className)),
      .init("$classes", .array(names.map { .string($0) })),
    ])
    known[.classDescription(className)] = reference
    return reference
  }

  /// The bytes of the whole archive.
  func archive(root: Reference) -> [UInt8] {
    BinaryPlistWriter.write(
      .dictionary([
        .init("$version", .integer(100_000)),
        .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary([.init("root", root.value)])),
        .init("$objects", .array(objects)),
      ]))
  }
}

/// The classes of an archived model with their superclasses, as archives list them.
enum ArchivedClasses {
  private static let parents: [String: String] = [
    "NSMutableArray": "NSArray", "NSMutableDictionary": "NSDictionary", "NSMutableSet": "NSSet",
    "NSMutableString": "NSString",
    "NSKnownKeysDictionary1": "NSKnownKeysDictionary",
    "NSKnownKeysDictionary": "NSMutableDictionary",
    "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
    "NSAttributeDescription": "NSPropertyDescription",
    "NSDerivedAttributeDescription": "NSAttributeDescription",
    "NSCompositeAttributeDescription": "NSAttributeDescription",
    "NSRelationshipDescription": "NSPropertyDescription",
    "NSFetchedPropertyDescription": "NSPropertyDescription",
    "NSExpressionDescription": "NSPropertyDescription",
    "NSFetchRequest": "NSPersistentStoreRequest",
    "NSComparisonPredicate": "NSPredicate", "NSCompoundPredicate": "NSPredicate",
    "NSTruePredicate": "NSPredicate", "NSFalsePredicate": "NSPredicate",
    "NSPredicateOperator": "NSObject",
    "NSComparisonPredicateOperator": "NSPredicateOperator",
    "NSEqualityPredicateOperator": "NSPredicateOperator",
    "NSInPredicateOperator": "NSPredicateOperator",
    "NSBetweenPredicateOperator": "NSPredicateOperator",
    "NSStringPredicateOperator": "NSPredicateOperator",
    "NSSubstringPredicateOperator": "NSStringPredicateOperator",
    "NSMatchingPredicateOperator": "NSStringPredicateOperator",
    "NSLikePredicateOperator": "NSMatchingPredicateOperator",
    "NSSelfExpression": "NSExpression", "NSConstantValueExpression": "NSExpression",
    "NSVariableExpression": "NSExpression", "NSKeyPathSpecifierExpression": "NSExpression",
    "NSFunctionExpression": "NSExpression", "NSKeyPathExpression": "NSFunctionExpression",
    "NSAggregateExpression": "NSExpression", "NSSubqueryExpression": "NSExpression",
    "NSTernaryExpression": "NSExpression", "NSSetExpression": "NSExpression",
    "NSDecimalNumber": "NSNumber", "NSNumber": "NSValue",
  ]

  /// The superclasses of a class, nearest first; only `NSObject` for an unknown class.
  static func superclasses(of className: String) -> [String] {
    var names: [String] = []
    var next = className
    while let parent = parents[next] {
      names.append(parent)
      next = parent
    }
    if next != "NSObject" { names.append("NSObject") }
    return names
  }
}
