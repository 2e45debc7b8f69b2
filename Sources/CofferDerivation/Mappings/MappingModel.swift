package import CoreDataModel

/// A mapping model: how the author of an app wants the objects of one model to become objects of another.
///
/// ```swift
/// let mapping = try MappingModel(path: "Trips 1 to 2.xcmappingmodel")
/// for entity in mapping.entities { print(entity.name) }
/// ```
package struct MappingModel: Sendable, Equatable {
  /// How objects of one entity become objects of another.
  package struct Entity: Sendable, Equatable {
    /// The treatment of the objects.
    package enum Kind: String, Sendable {
      /// The entity is new and gets no objects.
      case add
      /// The objects are left behind.
      case remove
      /// The objects are carried over.
      case transform
      /// A class of the app carries the objects over.
      case custom
    }

    /// The name, which expressions of other entity mappings use.
    package var name: Name
    /// The number that orders entity mappings.
    package var number: Int
    /// The entity of the old model; nil for a new one.
    package var sourceName: Name?
    /// The entity of the new model; nil for one that is left behind.
    package var destinationName: Name?
    /// The class of the app that carries the objects over; nil for the standard one.
    package var policyClass: String?
    /// The predicate that chooses the objects; nil for all of them.
    package var filter: String?
    /// Whether Xcode fills in properties without an expression, from the old entity's properties with the same names.
    package var fillsIn = true
    /// The attributes, in ascending order of names.
    package var attributes: [Property]
    /// The relationships, in ascending order of names.
    package var relationships: [Property]

    /// Creates an entity mapping.
    package init(
      name: Name, number: Int, from sourceName: Name?, to destinationName: Name?,
      policyClass: String? = nil, filter: String? = nil, attributes: [Property] = [],
      relationships: [Property] = []
    ) {
      self.name = name
      self.number = number
      self.sourceName = sourceName
      self.destinationName = destinationName
      self.policyClass = policyClass
      self.filter = filter
      self.attributes = attributes
      self.relationships = relationships
    }

    /// The treatment of the objects.
    package var kind: Kind {
      if policyClass != nil { return .custom }
      guard sourceName != nil else { return .add }
      return destinationName == nil ? .remove : .transform
    }
  }

  /// Where the values of one property of the new entity come from.
  package struct Property: Sendable, Equatable {
    /// The name of the property.
    package var name: Name
    /// The expression; nil for what Xcode fills in: the property of the same name.
    package var expression: ModelExpression?
    /// The entity mapping whose objects a relationship leads to, if the author chose it from a list.
    package var mappingName: Name?
    /// The relationship of the old entity that goes with it.
    package var keyPath: String?
    /// Whether Xcode fills it in if it has no expression.
    package var isFilledIn = true
  }

  /// The copy of the old model in the file; nil if it is in the form of Xcode, which is not read.
  package var source: ManagedObjectModel?
  /// The copy of the new model in the file; nil if it is in the form of Xcode, which is not read.
  package var destination: ManagedObjectModel?
  /// Where the author's computer had the old model.
  package var sourcePath: String?
  /// Where the author's computer had the new model.
  package var destinationPath: String?
  /// The entity mappings, in the order in which they are carried out.
  package var entities: [Entity]
}

extension ModelExpression {
  /// The expression as a mapping model shows it: with the object that a function is called on.
  ///
  /// For people: `FUNCTION($manager, 'entityPolicy')`.
  package var mappingText: String {
    if let (request, context, isCount) = fetchParts {
      return "FETCH(\(request.mappingText), \(context.mappingText), \(isCount ? "YES" : "NO"))"
    }
    switch self {
    case .keyPath(let operand?, let path): return operand.mappingText + "." + path
    case .function(let operand?, let name, let arguments):
      let parts = [operand.mappingText, "'\(name)'"] + arguments.map(\.mappingText)
      return "FUNCTION(\(parts.joined(separator: ", ")))"
    case .function(nil, let name, let arguments):
      return name + "(" + arguments.map(\.mappingText).joined(separator: ", ") + ")"
    case .aggregate(let parts):
      return "{" + parts.map(\.mappingText).joined(separator: ", ") + "}"
    default: return formatDescription
    }
  }
}
