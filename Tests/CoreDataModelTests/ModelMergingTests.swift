internal import CoreDataModel
internal import Testing

/// Several models as one.
@Suite struct ModelMergingTests {
  @Test func theModelMergedOfItsEntitiesIsTheModel() throws {
    for model in [SampleModels.small, SampleModels.everyFeature, SampleModels.generated(seed: 3)] {
      let parts = model.entities.map {
        ManagedObjectModel(
          entities: [$0], versionIdentifiers: model.versionIdentifiers,
          configurations: model.configurations,
          fetchRequestTemplateNames: model.fetchRequestTemplateNames, source: model.source)
      }
      // In both directions, and with one of them twice.
      for order in [parts, parts.reversed(), parts + parts.prefix(1)] where !order.isEmpty {
        let merged = try ManagedObjectModel.merging(order)
        #expect(merged.entities == model.entities)
        #expect(merged.configurations == model.configurations)
        #expect(merged.fetchRequestTemplateNames == model.fetchRequestTemplateNames)
      }
    }
  }

  @Test func entitiesOfOneNameMustBeEqual() throws {
    let one = EntityDescription(
      name: "A", attributes: [AttributeDescription(name: "x", type: .string)])
    var other = one
    other.attributes[0].isOptional = false
    let models = [one, other].map { ManagedObjectModel(entities: [$0], source: .file) }
    let error = #expect(throws: CofferError.self) { try ManagedObjectModel.merging(models) }
    #expect(error?.code == .modelMismatch)
    #expect(error?.place.item == "A")
  }

  /// Names are compared by their bytes: composed and decomposed letters make two entities.
  @Test func canonicallyEquivalentNamesAreTwoEntities() throws {
    let names = ["\u{e9}", "e\u{301}"]
    let models = names.map { name in
      ManagedObjectModel(
        entities: [EntityDescription(name: Name(name))], versionIdentifiers: [Name(name)],
        configurations: ["C": [Name(name)]], source: .file)
    }
    let merged = try ManagedObjectModel.merging(models)
    #expect(merged.entities.count == 2)
    #expect(merged.versionIdentifiers.count == 2)
    #expect(merged.configurations["C"]?.count == 2)
  }
}
