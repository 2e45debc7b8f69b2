internal import CoreDataModel

/// Models made for tests.
enum SampleModels {
  /// A small model: two entities and a relationship between them.
  static let small = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Author", className: "Author",
        attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)],
        relationships: [
          RelationshipDescription(
            name: "books", destinationName: "Book", inverseName: "author", maxCount: 0,
            isOrdered: true, deleteRule: .cascade)
        ]),
      EntityDescription(
        name: "Book",
        relationships: [
          RelationshipDescription(name: "author", destinationName: "Author", inverseName: "books")
        ]),
    ],
    versionIdentifiers: [""], source: .modelCache)

  /// A model with every feature that a model can have.
  static let everyFeature = ManagedObjectModel(
    entities: [publication, magazine, novel, reader],
    versionIdentifiers: ["1.0", "beta"],
    configurations: ["Cloud": ["Publication", "Magazine", "Novel"], "Local": ["Reader"]],
    fetchRequestTemplateNames: ["AllNovels"],
    source: .modelCache)

  private static let publication = EntityDescription(
    name: "Publication", className: "App.Publication", isAbstract: true,
    attributes: [
      AttributeDescription(
        name: "code", type: .integer64, isOptional: false, isIndexed: true,
        isIndexedBySpotlight: true, defaultValue: .integer(.min), valueClassName: "NSNumber",
        validationPredicates: [
          ValidationPredicate(
            predicate: .comparison(
              .evaluatedObject, .init(rawValue: 3), .constant(.integer(-5))),
            warning: .integer(1620)),
          ValidationPredicate(
            predicate: .not(
              .or([
                .comparison(
                  .keyPath(operand: nil, "length"), .init(rawValue: 0), .constant(.real(1.5))),
                .comparison(
                  .evaluatedObject, .init(rawValue: 99), .constant(.string("it's"))),
              ]))),
        ],
        renamingIdentifier: "number", versionHashModifier: "2",
        userInfo: [
          "key": .string("Ωμέγα"), "list": .array([.null, .bool(true), .real(2.5)]),
        ]),
      AttributeDescription(
        name: "cover", type: .binary, allowsExternalBinaryDataStorage: true,
        preservesValueInHistoryOnDeletion: true, allowsCloudEncryption: true),
      AttributeDescription(
        name: "price", type: .decimal,
        defaultValue: .object(
          className: "NSDecimalNumber",
          fields: [
            "NS.exponent": .integer(-2), "NS.mantissa": .data([1, 2]), "NS.negative": .bool(false),
          ])),
      AttributeDescription(
        name: "place", type: .composite,
        elements: [
          AttributeDescription(name: "street", type: .string, isOptional: true),
          AttributeDescription(
            name: "position", type: .composite,
            elements: [
              AttributeDescription(name: "longitude", type: .double, defaultValue: .real(0.1)),
              AttributeDescription(name: "latitude", type: .double, isOptional: false),
            ]),
        ]),
      AttributeDescription(
        name: "readerCount", type: .integer32, isReadOnly: true,
        derivation: Derivation(
          expression: .function(
            operand: nil, name: "count:", arguments: [.keyPath(operand: nil, "readers.name")]),
          filteringPredicate: .comparison(
            .keyPath(operand: .variable("source"), "age"),
            .init(rawValue: 5, modifier: 2, options: 3), .constant(nil)))),
      AttributeDescription(
        name: "shared", type: .uuid, defaultValue: .uuid("00112233-4455-6677-8899-AABBCCDDEEFF")),
      AttributeDescription(
        name: "temporary", type: .undefined, isTransient: true, defaultValue: .unsigned(.max)),
    ],
    relationships: [
      RelationshipDescription(
        name: "readers", destinationName: "Reader", inverseName: "publications", minCount: 1,
        maxCount: 10_000, isOptional: false, deleteRule: .deny,
        versionHashModifier: "r", userInfo: ["sync": .string("no")])
    ],
    uniquenessConstraints: [["code"], ["price", "shared"]],
    compoundIndexes: [["code", "price"]],
    fetchIndexes: [
      FetchIndexDescription(
        name: "byPlace",
        elements: [
          .init(propertyName: "code", isAscending: false, kind: 1),
          .init(propertyName: nil, expression: .evaluatedObject),
          .init(propertyName: nil, expression: .keyPath(operand: nil, "entity")),
        ],
        partialIndexPredicate: .and([
          .comparison(.keyPath(operand: nil, "code"), .init(rawValue: 4), .constant(.integer(1))),
          .comparison(.keyPath(operand: nil, "price"), .init(rawValue: 5), .constant(nil)),
        ]))
    ],
    versionHashModifier: "entity", userInfo: ["note": .url("https://example.org/a?b")])

  private static let magazine = EntityDescription(
    name: "Magazine", superentityName: "Publication",
    attributes: [
      AttributeDescription(name: "issued", type: .date, defaultValue: .date(-541_232_580.25)),
      AttributeDescription(name: "logo", type: .transformable, valueTransformerName: "Logo"),
    ],
    renamingIdentifier: "Journal")

  private static let novel = EntityDescription(
    name: "Novel", superentityName: "Publication",
    attributes: [
      AttributeDescription(name: "isGood", type: .boolean, defaultValue: .bool(true)),
      AttributeDescription(name: "link", type: .uri, defaultValue: .url("urn:x")),
      AttributeDescription(name: "pages", type: .integer16),
      AttributeDescription(name: "weight", type: .float),
    ],
    relationships: [
      RelationshipDescription(name: "sequel", destinationName: "Novel", deleteRule: .noAction)
    ])

  private static let reader = EntityDescription(
    name: "Reader",
    attributes: [AttributeDescription(name: "name", type: .string)],
    relationships: [
      RelationshipDescription(
        name: "publications", destinationName: "Publication", inverseName: "readers",
        maxCount: -1, isOrdered: true, isTransient: true)
    ],
    fetchedProperties: [
      FetchedPropertyDescription(
        name: "favourites", fetchedEntityName: "Novel",
        predicate: .and([
          .comparison(
            .keyPath(operand: nil, "name"), .init(rawValue: 8, modifier: 0, options: 1),
            .keyPath(operand: .variable("FETCH_SOURCE"), "name")),
          .comparison(
            .evaluatedObject, .init(rawValue: 10),
            .aggregate([.constant(.integer(1)), .variable("x"), .aggregate([])])),
          .other(.object(className: "NSTruePredicate", fields: [:])),
          .comparison(
            .other(
              .object(className: "NSAnyKeyExpression", fields: ["NSExpressionType": .integer(15)])),
            .init(rawValue: 6), .constant(.string("a+"))),
        ]),
        sortDescriptors: [.init(key: "code", isAscending: false), .init(key: nil)],
        fetchLimit: 7, isOptional: false, renamingIdentifier: "likes",
        userInfo: ["search": .string("great")])
    ])

  /// A model of random entities, properties, values and predicates.
  static func generated(seed: UInt64) -> ManagedObjectModel {
    var generator = ModelGenerator(seed: seed)
    return generator.model()
  }
}
