internal import CoreDataModel

/// A model with every kind of relationship: to-one with and without inverse, to sub-entities, within
/// one table, its own inverse, ordered, without inverse, limited.
///
/// Numbers of the entities: 1 Base (abstract; 2 Alpha, 3 Beta, 4 Gamma below Beta), 5 Box, 6 Label,
/// 7 Lid, 8 Stamp.
enum RelationshipModel {
  static let model = ManagedObjectModel(
    entities: [
      entity(
        "Base", isAbstract: true,
        .init(name: "partner", destinationName: "Base", inverseName: "partner"),
        .init(name: "peers", destinationName: "Base", inverseName: "peers", maxCount: 3)),
      entity(
        "Alpha", below: "Base",
        .init(name: "next", destinationName: "Alpha", inverseName: "previous"),
        .init(name: "previous", destinationName: "Alpha", inverseName: "next")),
      entity(
        "Beta", below: "Base", .init(name: "box", destinationName: "Box", inverseName: "betas"),
        .init(
          name: "labels", destinationName: "Label", inverseName: "betas", minCount: 2, maxCount: 0,
          isOrdered: true)),
      entity("Gamma", below: "Beta"),
      entity(
        "Box",
        .init(
          name: "betas", destinationName: "Beta", inverseName: "box", minCount: 1, maxCount: 3,
          isOrdered: true, isOptional: false),
        .init(name: "lid", destinationName: "Lid", inverseName: "box"),
        .init(name: "samples", destinationName: "Gamma", maxCount: 0),
        .init(name: "stamps", destinationName: "Stamp", maxCount: 2, isOrdered: true)),
      entity(
        "Label",
        .init(
          name: "betas", destinationName: "Beta", inverseName: "labels", maxCount: 2,
          isOrdered: true)),
      entity(
        "Lid", .init(name: "box", destinationName: "Box", inverseName: "lid"),
        .init(name: "target", destinationName: "Beta")),
      entity("Stamp"),
    ],
    source: .modelCache)

  private static func entity(
    _ name: Name, isAbstract: Bool = false, below parent: Name? = nil,
    _ relationships: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(
      name: name, isAbstract: isAbstract, superentityName: parent,
      attributes: [AttributeDescription(name: "note\(name)", type: .string)],
      relationships: relationships)
  }

  /// The names of the entities by their numbers.
  static let names: [Int64: String] = [
    1: "Base", 2: "Alpha", 3: "Beta", 4: "Gamma", 5: "Box", 6: "Label", 7: "Lid", 8: "Stamp",
  ]
  /// The root entities by their tables.
  static let roots = [
    "ZBASE": "Base", "ZBOX": "Box", "ZLABEL": "Label", "ZLID": "Lid", "ZSTAMP": "Stamp",
  ]

  /// A column that leads to another object.
  struct Reference {
    var table: String
    var column: String
    /// The entities whose objects are looked at.
    var holders: Set<Int64>
    var destination: String
    var allowed: Set<Int64>
    var property: Name
    var entityColumn: String?
    /// For owners: the entities whose objects may have one.
    var owned: Set<Int64>?
  }

  static let references = [
    Reference(
      table: "ZBASE", column: "ZPARTNER", holders: [1, 2, 3, 4], destination: "ZBASE",
      allowed: [1, 2, 3, 4], property: "partner", entityColumn: "Z1_PARTNER"),
    Reference(
      table: "ZBASE", column: "ZNEXT", holders: [2], destination: "ZBASE", allowed: [2],
      property: "next"),
    Reference(
      table: "ZBASE", column: "ZPREVIOUS", holders: [2], destination: "ZBASE", allowed: [2],
      property: "previous"),
    Reference(
      table: "ZBASE", column: "ZBOX", holders: [3, 4], destination: "ZBOX", allowed: [5],
      property: "box"),
    Reference(
      table: "ZBASE", column: "Z5SAMPLES", holders: [1, 2, 3, 4], destination: "ZBOX",
      allowed: [5], property: "Box.samples", owned: [4]),
    Reference(
      table: "ZBOX", column: "ZLID", holders: [5], destination: "ZLID", allowed: [7],
      property: "lid"),
    Reference(
      table: "ZLID", column: "ZBOX", holders: [7], destination: "ZBOX", allowed: [5],
      property: "box"),
    Reference(
      table: "ZLID", column: "ZTARGET", holders: [7], destination: "ZBASE", allowed: [3, 4],
      property: "target", entityColumn: "Z3_TARGET"),
    Reference(
      table: "ZSTAMP", column: "Z5STAMPS", holders: [8], destination: "ZBOX", allowed: [5],
      property: "Box.stamps", owned: [8]),
  ]

  /// The one-to-one relationships, each side by the positions of its references.
  static let oneToOne = [(0, 0), (1, 2), (2, 1), (5, 6), (6, 5)]
  /// The columns of positions of references.
  static let orders = [(3, "Z_FOK_BOX"), (8, "Z_FOK_5STAMPS")]

  /// A join table.
  struct Pairs {
    var table: String
    var source: (column: String, table: String, entity: Int64, allowed: Set<Int64>)
    var destination: (column: String, table: String, entity: Int64, allowed: Set<Int64>)
    var property: Name
    var inverse: Name
    var code = "error dangling-pair"
    /// The positions of the destinations, and of the sources.
    var orders: (destination: String, source: String)?
  }

  static let pairs = [
    Pairs(
      table: "Z_1PEERS", source: ("Z_1PEERS", "ZBASE", 1, [1, 2, 3, 4]),
      destination: ("REFLEXIVE", "ZBASE", 1, [1, 2, 3, 4]), property: "peers", inverse: "peers",
      code: "info dangling-reflexive-pair"),
    Pairs(
      table: "Z_3LABELS", source: ("Z_3BETAS", "ZBASE", 3, [3, 4]),
      destination: ("Z_6LABELS", "ZLABEL", 6, [6]), property: "labels", inverse: "betas",
      orders: ("Z_FOK_6LABELS", "Z_FOK_3BETAS")),
  ]
}
