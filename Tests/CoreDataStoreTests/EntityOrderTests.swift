internal import CoreDataModel
internal import Testing

@testable internal import CoreDataStore

/// Entities with other numbers than the rule gives them are named, and as few as possible.
@Suite struct EntityOrderTests {
  private func misplaced(
    _ names: [String], tree: [String: String] = [:], without removed: Set<String> = []
  ) -> [String] {
    let all = Set(names).union(tree.keys).union(removed)
    let model = ManagedObjectModel(
      entities: all.map {
        EntityDescription(name: Name($0), superentityName: tree[$0].map { Name($0) })
      }, source: .file)
    let registry = EntityRegistry(
      rows: zip(names, Int64(1)...).map { EntityRegistry.Row(number: $0.1, name: Name($0.0)) })
    return EntityOrderAudit(EntityNumbering(model: model, registry: registry), model)
      .misplacements.map(\.entity.text)
  }

  @Test func theOrderOfTheRuleIsFine() {
    #expect(misplaced(["a", "B", "c", "D"]) == [])
    #expect(misplaced(["A", "X", "b", "Y"], tree: ["X": "A", "Y": "b"]) == [])
    #expect(misplaced([]) == [])
  }

  @Test func oneEntityInTheWrongPlaceIsNamedAlone() {
    #expect(misplaced(["B", "C", "D", "E", "A"]) == ["A"])
    #expect(misplaced(["E", "A", "B", "C", "D"]) == ["E"])
    #expect(misplaced(["A", "B", "X", "Y"], tree: ["X": "A", "Y": "A"]).count == 1)
  }

  @Test func aGapIsNamedOnce() {
    let model = ManagedObjectModel(
      entities: ["A", "B", "C", "D"].map { EntityDescription(name: $0) }, source: .file)
    func misplaced(_ numbers: [Int64]) -> [String] {
      let registry = EntityRegistry(
        rows: zip(["A", "B", "C", "D"], numbers).map { .init(number: $1, name: $0) })
      return EntityOrderAudit(EntityNumbering(model: model, registry: registry), model)
        .misplacements.map(\.entity.text)
    }
    #expect(misplaced([1, 2, 7, 8]) == ["C"])
    #expect(misplaced([2, 3, 4, 5]) == ["A"])
    #expect(misplaced([1, 2, 3, 50]) == ["D"])
  }

  @Test func signsMaySortEitherWay() {
    #expect(misplaced(["Item_A", "ItemB"]) == [])
    #expect(misplaced(["ItemB", "Item_A"]) == [])
    #expect(misplaced(["Item10", "Item2", "Items"]) == [])
    #expect(misplaced(["Item2", "Item10", "Items"]) == [])
    #expect(misplaced(["Items", "Item2"]) != [])
    #expect(misplaced(["Zäh", "Älter", "Apfel"]) == [])
  }

  @Test func whatHasNoNumberIsNoGap() {
    #expect(misplaced(["A", "C", "D"], without: ["B"]) == [])
  }
}
