internal import CofferKit
internal import CoreDataModel
internal import Foundation

/// The file of a mapping model, as Xcode writes it.
struct MappingFile {
  /// An entity mapping to write.
  struct Entity {
    var name: String?
    var source: String?
    var destination: String?
    var filter: String?
    var policy: String?
    /// Whether Xcode fills in what has no expression; nil where the file does not say.
    var fillsIn: Bool?
    /// The expressions of attributes by name; nil for what Xcode fills in.
    var attributes: [(String, ModelExpression?)] = []
    /// The expressions of relationships by name.
    var relationships: [(String, ModelExpression?)] = []
    /// The key paths of relationships by name, each with the entity mapping that was chosen for it.
    var chosen: [String: (path: String, mapping: String)] = [:]
  }

  var source: ManagedObjectModel
  var destination: ManagedObjectModel
  var entities: [Entity]
  /// The paths of the versions; with them, the file has no copies that can be read, as Xcode's.
  var paths: (old: String, new: String)?

  /// The XML store.
  var text: String {
    var objects = ""
    var mappings: [String] = []
    var id = 102
    func next() -> String {
      id += 1
      return "z\(id)"
    }
    for (number, entity) in entities.enumerated() {
      let own = next()
      mappings.append(own)
      let attributes = entity.attributes.map { (next(), $0) }
      let relationships = entity.relationships.map { (next(), $0) }
      objects += "<object type=\"XDDEVENTITYMAPPING\" id=\"\(own)\">"
      let texts = [
        ("name", entity.name), ("sourcename", entity.source),
        ("destinationname", entity.destination), ("migrationpolicyclassname", entity.policy),
        ("sourcefilterpredicatestring", entity.filter), ("mappingnumber", "\(number + 1)"),
        ("autogenerateexpression", entity.fillsIn.map { $0 ? "1" : "0" }),
      ]
      for (name, text) in texts { if let text { objects += Self.attribute(name, text) } }
      objects += Self.relationship("attributemappings", attributes.map(\.0))
      objects += Self.relationship("relationshipmappings", relationships.map(\.0))
      objects += "</object>\n"
      for (properties, type) in [
        (attributes, "XDDEVATTRIBUTEMAPPING"), (relationships, "XDDEVRELATIONSHIPMAPPING"),
      ] {
        for (id, (name, expression)) in properties {
          objects += "<object type=\"\(type)\" id=\"\(id)\">" + Self.attribute("name", name)
          if let chosen = entity.chosen[name] {
            objects += Self.attribute("sourcekeypath", chosen.path)
            objects += Self.attribute("sourcemappingname", chosen.mapping)
          }
          if let expression {
            objects += Self.attribute(
              "valueexpressiondata", Self.base64(ArchivedExpression(expression).bytes))
          }
          objects += "</object>\n"
        }
      }
    }
    objects +=
      "<object type=\"XDDEVMAPPINGMODEL\" id=\"z102\">"
      + Self.attribute("sourcemodeldata", copy(of: source))
      + Self.attribute("destinationmodeldata", copy(of: destination))
      + (paths.map {
        Self.attribute("sourcemodelpath", $0.old) + Self.attribute("destinationmodelpath", $0.new)
      } ?? "")
      + Self.relationship("entitymappings", mappings) + "</object>\n"
    return XMLStoreSample.head + "<database>\n" + objects + "</database>\n"
  }

  private func copy(of model: ManagedObjectModel) -> String {
    let other = BinaryPlistWriter.write(.dictionary([.init("$archiver", .string("XDArchiver"))]))
    return Self.base64(paths == nil ? ModelCacheWriter.archive(model) : other)
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func attribute(_ name: String, _ text: String) -> String {
    "<attribute name=\"\(name)\" type=\"string\">\(XMLText.escaped(text))</attribute>"
  }

  private static func relationship(_ name: String, _ ids: [String]) -> String {
    "<relationship name=\"\(name)\" type=\"0/0\" idrefs=\"\(ids.joined(separator: " "))\"></relationship>"
  }

  /// A mapping that only copies: each entity and property of one model to the same of another.
  static func copying(_ old: ManagedObjectModel, to new: ManagedObjectModel) -> MappingFile {
    let entities = new.entities.filter { !$0.isAbstract }.map { entity in
      Entity(
        source: old[entity.name] == nil ? nil : entity.name.text, destination: entity.name.text,
        attributes: new.allAttributes(of: entity.name).map { ($0.name.text, nil) },
        relationships: new.allRelationships(of: entity.name).map { ($0.name.text, nil) })
    }
    return MappingFile(source: old, destination: new, entities: entities)
  }
}

/// An expression as `NSKeyedArchiver` writes it: constants, variables, key paths, functions and lists.
struct ArchivedExpression {
  /// The numbers of `NSExpression.ExpressionType`, which every expression has.
  private static let types: [String: Int64] = [
    "NSConstantValueExpression": 0, "NSSelfExpression": 1, "NSVariableExpression": 2,
    "NSKeyPathExpression": 3, "NSFunctionExpression": 4, "NSKeyPathSpecifierExpression": 10,
    "NSAggregateExpression": 14, "NSFetchRequestExpression": 50,
  ]

  private var objects: [PropertyListValue] = [.string("$null")]
  private var classes: [String: UInt64] = [:]
  private(set) var bytes: [UInt8] = []

  init(_ expression: ModelExpression) {
    let root = add(expression)
    bytes = BinaryPlistWriter.write(
      .dictionary([
        .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary([.init("root", .uid(root))])),
        .init("$objects", .array(objects)),
      ]))
  }

  private mutating func place(_ value: PropertyListValue) -> UInt64 {
    objects.append(value)
    return UInt64(objects.count - 1)
  }

  private mutating func object(
    _ className: String, _ fields: [(String, PropertyListValue)]
  ) -> UInt64 {
    let known = classes[className]
    let position =
      known
      ?? place(
        .dictionary([
          .init("$classname", .string(className)),
          .init("$classes", .array([.string(className), .string("NSObject")])),
        ]))
    classes[className] = position
    let type = Self.types[className].map { [("NSExpressionType", PropertyListValue.integer($0))] }
    return place(
      .dictionary(
        ((type ?? []) + fields + [("$class", .uid(position))]).map { .init($0.0, $0.1) }))
  }

  private mutating func list(_ parts: [UInt64]) -> PropertyListValue {
    .uid(object("NSArray", [("NS.objects", .array(parts.map { .uid($0) }))]))
  }

  /// What Foundation's own functions are called on.
  private var functions: UInt64 {
    mutating get {
      let name = place(.string("_NSPredicateUtilities"))
      return object("NSConstantValueExpression", [("NSConstantValueClassName", .uid(name))])
    }
  }

  private mutating func add(_ expression: ModelExpression) -> UInt64 {
    if let (request, context, isCount) = expression.fetchParts {
      return object(
        "NSFetchRequestExpression",
        [
          ("NSFRExpression", .uid(add(request))), ("NSMOCExpression", .uid(add(context))),
          ("NSCountOnlyFlag", .bool(isCount)),
        ])
    }
    switch expression {
    case .constant(let value):
      let constant: PropertyListValue =
        switch value {
        case .integer(let number): .uid(place(.integer(number)))
        case .string(let text): .uid(place(.string(text)))
        case .real(let number): .uid(place(.real(number)))
        default: .uid(0)
        }
      return object("NSConstantValueExpression", [("NSConstantValue", constant)])
    case .variable(let name):
      return object("NSVariableExpression", [("NSVariable", .uid(place(.string(name))))])
    case .keyPath(let operand, let path):
      let specifier = object(
        "NSKeyPathSpecifierExpression", [("NSKeyPath", .uid(place(.string(path))))])
      return object(
        "NSKeyPathExpression",
        [
          ("NSOperand", .uid(add(operand ?? .evaluatedObject))),
          ("NSSelectorName", .uid(place(.string("valueForKeyPath:")))),
          ("NSArguments", list([specifier])),
        ])
    case .aggregate(let elements):
      return object("NSAggregateExpression", [("NSCollection", list(elements.map { add($0) }))])
    case .function(let operand, let name, let arguments):
      let parts = arguments.map { add($0) }
      return object(
        "NSFunctionExpression",
        [
          ("NSOperand", .uid(operand.map { add($0) } ?? functions)),
          ("NSSelectorName", .uid(place(.string(name)))), ("NSArguments", list(parts)),
        ])
    default: return object("NSSelfExpression", [])
    }
  }
}

extension ModelExpression {
  /// `$source.path`.
  static func source(_ path: String) -> ModelExpression {
    .keyPath(operand: .variable("source"), path)
  }

  /// A function of the migration manager.
  static func manager(_ name: String, _ arguments: ModelExpression...) -> ModelExpression {
    .function(operand: .variable("manager"), name: name, arguments: arguments)
  }

  /// A fetch of old objects, or their number.
  static func fetch(
    _ entity: String, _ predicate: String = "TRUEPREDICATE", isCount: Bool = false
  ) -> ModelExpression {
    let request = manager(
      "fetchRequestForSourceEntityNamed:predicateString:", .constant(.string(entity)),
      .constant(.string(predicate)))
    return .function(
      operand: nil, name: fetchName,
      arguments: [
        request, .keyPath(operand: .variable("manager"), "sourceContext"),
        .constant(.bool(isCount)),
      ])
  }

  /// The old objects from which an entity mapping made the new one.
  static func sources(_ mapping: String) -> ModelExpression {
    manager(
      "sourceInstancesForEntityMappingNamed:destinationInstances:", .constant(.string(mapping)),
      .variable("destination"))
  }

  /// The new objects of those in an argument, by an entity mapping.
  static func instances(_ mapping: String, _ argument: ModelExpression) -> ModelExpression {
    .function(
      operand: .variable("manager"),
      name: "destinationInstancesForEntityMappingNamed:sourceInstances:",
      arguments: [.constant(.string(mapping)), argument])
  }
}

extension EntityDescription {
  /// An entity of a class of its name, with attributes of these types.
  init(
    _ name: Name, _ attributes: [(Name, AttributeType)],
    _ relationships: [RelationshipDescription] = []
  ) {
    self.init(
      name: name, className: name,
      attributes: attributes.map { AttributeDescription(name: $0.0, type: $0.1) },
      relationships: relationships)
  }
}
