package import CofferKit

/// Models for the tests of diagrams and rules.
package enum ModelSamples {
  /// Two entities with a pair of inverses, in which no rule finds anything.
  package static let sound = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Trip",
        attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "legs", destinationName: "Leg", inverseName: "trip", maxCount: 0,
            deleteRule: .cascade)
        ]),
      EntityDescription(
        name: "Leg",
        attributes: [
          AttributeDescription(name: "photo", type: .binary, allowsExternalBinaryDataStorage: true)
        ],
        relationships: [
          RelationshipDescription(name: "trip", destinationName: "Trip", inverseName: "legs")
        ]),
    ], source: .file)

  /// A model of so many entities with inheritance, pairs of inverses, relationships without and to
  /// themselves; the same each time.
  package static func made(_ count: Int) -> ManagedObjectModel {
    var state = UInt64(count)
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    var entities = (0..<count).map { number in
      EntityDescription(
        name: "Entity\(number)", isAbstract: next(9) == 0,
        superentityName: number > 2 && next(4) == 0 ? "Entity\(next(number))" : nil,
        attributes: (0..<next(12)).map {
          AttributeDescription(name: "attribute\($0)", type: .string, isOptional: next(2) == 0)
        })
    }
    for number in 0..<(count * 3 / 2) {
      let (one, other) = (next(count), next(count))
      let hasInverse = next(4) > 0
      entities[one].relationships.append(
        RelationshipDescription(
          name: "r\(number)", destinationName: "Entity\(other)",
          inverseName: hasInverse ? "i\(number)" : nil, maxCount: next(2)))
      guard hasInverse else { continue }
      entities[other].relationships.append(
        RelationshipDescription(
          name: "i\(number)", destinationName: "Entity\(one)", inverseName: "r\(number)",
          maxCount: next(2), isOrdered: next(2) == 0))
    }
    return ManagedObjectModel(entities: entities, source: .file)
  }

  /// A model with names that mean something in every language of diagrams.
  package static let awkward = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "A\"<b>&\\{x}\n", isAbstract: true,
        attributes: [AttributeDescription(name: "a#;\"]]>~()*", type: .string)],
        relationships: [
          RelationshipDescription(name: "self|\"", destinationName: "A\"<b>&\\{x}\n"),
          RelationshipDescription(name: "lost", destinationName: "Nowhere"),
        ]),
      EntityDescription(name: "class", superentityName: "A\"<b>&\\{x}\n"),
      EntityDescription(name: ""),
    ], source: .file)
}
