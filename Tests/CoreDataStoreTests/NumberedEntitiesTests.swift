internal import CoreDataLayout
internal import CoreDataModel
internal import StoreGenerator
internal import Testing

/// Who inherits from whom, by numbers.
@Suite struct NumberedEntitiesTests {
  /// Trees, cycles, and superentities that are not in the list.
  @Test func lineagesAreThoseOfTheEntitiesThatLeadToTheRoot() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let names = (0..<8).map { Name("E\($0)") }
      let entities = NumberedEntities(
        names.dropLast(2).enumerated().map { number, name in
          NumberedEntities.Entity(
            name: name, number: Int64(number + 1),
            superentityName: Bool.random(using: &random) ? names.randomElement(using: &random) : nil
          )
        })
      for root in names {
        var expected: [Int64: Set<Name>] = [:]
        for entity in entities.entities {
          let lineage = entities.lineage(of: entity.name)
          if lineage.contains(root) { expected[entity.number] = lineage }
        }
        #expect(entities.lineages(below: root) == expected, "\(root) of \(entities.entities)")
      }
    }
  }
}
