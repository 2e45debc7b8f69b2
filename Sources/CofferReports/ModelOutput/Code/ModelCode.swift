package import CoreDataModel

/// A model as the source code of an app: a class for each entity.
///
/// Parts that a language cannot express are left out and listed in ``omissions``.
package struct ModelCode: Sendable {
  /// The kind of classes.
  package enum Language: Sendable, CaseIterable {
    /// `@Model` classes of SwiftData, in a versioned schema.
    case swiftData
    /// Subclasses of `NSManagedObject` in Swift, as Xcode generates them.
    case swift
    /// Subclasses of `NSManagedObject` in Objective-C, as Xcode generates them.
    case objectiveC
  }

  /// A part of a model that the code leaves out.
  package struct Omission: Sendable, Equatable {
    /// The entity, and the property behind a dot; nil for the model as a whole.
    package var place: String?
    /// The part, in a few words.
    package var detail: String
  }

  /// The source code.
  package let text: String
  /// The parts of the model that the code leaves out, in the order of the entities.
  package let omissions: [Omission]

  /// Writes the classes of a model; throws `refused` if a name cannot be an identifier of the language.
  package init(_ model: ManagedObjectModel, in language: Language) throws(CofferError) {
    try Self.requireIdentifiers(model, in: language)
    var lines = CodeLines()
    switch language {
    case .swiftData:
      var writer = SwiftDataWriter(model)
      writer.write(to: &lines)
    case .swift: SwiftClassWriter(model).write(to: &lines)
    case .objectiveC: ObjectiveCClassWriter(model).write(to: &lines)
    }
    text = lines.text
    omissions = lines.omissions
  }

  private static func requireIdentifiers(
    _ model: ManagedObjectModel, in language: Language
  ) throws(CofferError) {
    for entity in model.entities {
      let className = language == .swiftData ? "\(entity.name)" : entity.generatedClassName
      let properties =
        entity.attributes.map { "\($0.name)" } + entity.relationships.map { "\($0.name)" }
        + entity.fetchedProperties.map { "\($0.name)" }
      let valueClasses = entity.attributes.compactMap { $0.valueClassName.map { "\($0)" } }
      let names = ([className] + properties).map { ($0, "") }
      for (name, signs) in names + valueClasses.map({ ($0, Self.signsOfTypes) })
      where !isIdentifier(name, or: signs)
        || language == .objectiveC && keywordsOfC.contains(name)
      {
        throw CofferError(
          .refused, item: "\(entity.name)",
          detail: "'\(name)' cannot be the name of a class or property",
          advice: "Print the model in another format.")
      }
    }
  }

  /// The words that are no names in Objective-C, not even of properties.
  private static let keywordsOfC: Set<String> = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile",
    "while",
  ]

  /// The signs in types such as `[String: Set<Tag>]` and `NSArray<Tag *>`, which make no statement.
  static let signsOfTypes = "[]<>:,.?* "

  static func isIdentifier(_ name: String, or signs: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return false }
    return name.utf8.allSatisfy {
      PercentEncoding.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || signs.utf8.contains($0)
    }
  }
}

/// Lines of code, and the parts that they leave out.
struct CodeLines {
  private(set) var omissions: [ModelCode.Omission] = []
  private var lines: [String] = []

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a line; an empty one only if the last one is not.
  mutating func add(_ line: String = "") {
    if line.isEmpty, lines.last?.isEmpty ?? true { return }
    lines.append(line)
  }

  /// Records a part that the code leaves out.
  mutating func omit(_ detail: String, of place: String?) {
    omissions.append(ModelCode.Omission(place: place, detail: detail))
  }
}

extension EntityDescription {
  /// The name of the class that Xcode generates, without the module; the entity's name if it has no custom class.
  var generatedClassName: String {
    guard let className = className.map({ "\($0)" }), className != "NSManagedObject" else {
      return "\(name)"
    }
    return className.split(separator: ".").last.map(String.init) ?? "\(name)"
  }
}

extension ManagedObjectModel {
  /// The entities, each after its superentity.
  var entitiesFromRoots: [EntityDescription] {
    rootEntities.flatMap { tree(of: $0.name) }
  }
}
