internal import CoreDataModel
internal import LibrarySupport
internal import Testing

@testable internal import CofferReports

@Suite struct ModelTextTests {
  @Test func aModelReadsAsBlocks() {
    var entities = ModelSamples.sound.entities
    entities[0].attributes.append(
      AttributeDescription(
        name: "distance", type: .double, isOptional: false, isIndexed: true,
        defaultValue: .real(1.5)))
    entities[1].fetchIndexes = [
      FetchIndexDescription(
        name: "byName", elements: [.init(propertyName: "name", isAscending: false)])
    ]
    entities[1].uniquenessConstraints = [["name"], ["a", "b"]]
    let model = ManagedObjectModel(
      entities: entities, versionIdentifiers: ["2.0"], configurations: ["Cloud": ["Trip"]],
      source: .file)
    #expect(
      ModelText(model).text == """
        Leg
          attributes
            photo     Binary, optional, external storage
            distance  Double, default 1.5, indexed
          relationships
            trip  → Trip, 0..1, inverse legs, on delete: Nullify

        Trip
          attributes
            name  String, optional
          relationships
            legs  → Leg, 0..*, inverse trip, on delete: Cascade
          unique  name, a + b
          index   byName: name ↓

        Model
          version              2.0
          configuration Cloud  Trip

        """)
  }
}
