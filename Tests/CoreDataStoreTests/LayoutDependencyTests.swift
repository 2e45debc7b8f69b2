internal import CoreDataModel
internal import CoreDataStore
internal import Testing

/// The order in which tables are written.
@Suite struct LayoutDependencyTests {
  /// The tables of a model in dependency order, without their Z.
  private func order(_ entities: [EntityDescription]) throws -> [String] {
    let relationships = Dictionary(
      grouping: entities, by: { entity in entity.superentityName ?? entity.name })
    let tables = relationships.map { root, tree in
      entityTable(
        "Z\(root)",
        Set(tree.flatMap(\.relationships).map { "Z\($0.name.text.uppercased()) INTEGER" }).sorted()
          .joined(separator: ", "))
    }
    return try HandMadeStore(entities, tables).layout.entityTablesInDependencyOrder
      .map(\.rootEntityName.text)
  }

  private func entity(_ name: Name, needs: [String] = [], mayHave: [String] = [])
    -> EntityDescription
  {
    EntityDescription(
      name: name,
      relationships: needs.map { toOne(Name("n" + $0), Name($0), isOptional: false) }
        + mayHave.map { toOne(Name("o" + $0), Name($0)) })
  }

  @Test func destinationsOfMandatoryRelationshipsComeFirst() throws {
    #expect(
      try order([entity("A", needs: ["C"]), entity("B"), entity("C", needs: ["D"]), entity("D")])
        == ["B", "D", "C", "A"])
  }

  @Test func optionalRelationshipsHaveNoPart() throws {
    #expect(try order([entity("A", mayHave: ["B"]), entity("B")]) == ["A", "B"])
  }

  @Test func aRelationshipToItselfIsNoCycle() throws {
    #expect(try order([entity("A", needs: ["A", "B"]), entity("B")]) == ["B", "A"])
  }

  @Test func aCycleBeginsWithItsLowestNumber() throws {
    #expect(
      try order([
        entity("A", needs: ["D"]), entity("B", needs: ["C"]), entity("C", needs: ["B"]),
        entity("D", needs: ["B"]),
      ]) == ["B", "C", "D", "A"])
    #expect(
      try order([entity("A"), entity("B", needs: ["C"]), entity("C", needs: ["B"])])
        == ["A", "B", "C"])
  }

  @Test func aSubentityStandsForItsTable() throws {
    #expect(
      try order([
        entity("A", needs: ["Sub"]), EntityDescription(name: "Sub", superentityName: "Z"),
        EntityDescription(name: "Z"),
      ]) == ["Z", "A"])
  }
}
