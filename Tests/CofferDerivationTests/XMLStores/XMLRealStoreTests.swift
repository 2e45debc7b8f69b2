internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Real XML stores, which are the mapping models of real apps, judged by an independent reader.
@Suite(
  .enabled(
    if: !RealMapping.all.isEmpty && Oracle.isAvailable, "needs the real mapping models and oracles"
  ))
struct XMLRealStoreTests {
  /// The model of mapping models, as their files show it.
  private static let model = ManagedObjectModel(
    entities: [
      entity(
        "XDDevMappingModel",
        [
          ("sourceModelPath", .string), ("sourceModelData", .binary),
          ("destinationModelPath", .string), ("destinationModelData", .binary),
        ], [("entityMappings", "XDDevEntityMapping", "mappingModel", 0)]),
      entity(
        "XDDevEntityMapping",
        [
          ("autogenerateExpression", .boolean), ("destinationName", .string),
          ("mappingNumber", .integer16), ("mappingTypeName", .string),
          ("migrationPolicyClassName", .string), ("name", .string), ("sourceName", .string),
        ],
        [
          ("attributeMappings", "XDDevAttributeMapping", "entityMapping", 0),
          ("mappingModel", "XDDevMappingModel", "entityMappings", 1),
          ("relationshipMappings", "XDDevRelationshipMapping", "entityMapping", 0),
        ]),
      entity(
        "XDDevPropertyMapping", [("name", .string), ("valueExpressionData", .binary)], [],
        isAbstract: true),
      entity(
        "XDDevAttributeMapping", [],
        [("entityMapping", "XDDevEntityMapping", "attributeMappings", 1)],
        parent: "XDDevPropertyMapping"),
      entity(
        "XDDevRelationshipMapping",
        [
          ("autogenerateExpression", .boolean), ("sourceKeyPath", .string),
          ("sourceMappingName", .string),
        ], [("entityMapping", "XDDevEntityMapping", "relationshipMappings", 1)],
        parent: "XDDevPropertyMapping"),
    ], versionIdentifiers: [""], source: .modelCache)

  private static func entity(
    _ name: Name, _ attributes: [(Name, AttributeType)], _ relationships: [(Name, Name, Name, Int)],
    isAbstract: Bool = false, parent: Name? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, className: "NSManagedObject", isAbstract: isAbstract, superentityName: parent,
      attributes: attributes.map { AttributeDescription(name: $0.0, type: $0.1) },
      relationships: relationships.map {
        RelationshipDescription(
          name: $0.0, destinationName: $0.1, inverseName: $0.2, maxCount: $0.3)
      })
  }

  @Test(arguments: RealMapping.all)
  func everyXMLStoreBecomesAnSQLiteStore(_ real: RealMapping) throws {
    let folder = try TemporaryDirectory()
    var environment = WorkEnvironment(model: LoadedModel(Self.model))
    environment.temporaryFolder = folder.path
    let source = "\(real.path)/xcmapping.xml"
    let store = try XMLStoreConversion(of: source, environment)
    try expectTheObjects(of: source, in: store.path)
    let archive = folder.file("Archive.coffer.tar.gz")
    try StoreExporter().export(storeAt: store.path, to: archive)
    let restored = folder.file("Restored.sqlite")
    try StoreImporter().import(archive, to: restored)
    try expectTheObjects(of: source, in: restored)
    var differences: [String] = []
    _ = try StoreComparison().compare(store.path, archive) { differences.append("\($0)") }
    #expect(differences == [])
    _ = try Verifier().verify(restored) { finding in
      #expect(finding.severity != .error, "\(finding)")
    }
  }

  private func expectTheObjects(of source: String, in store: String) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("compare-xml-store.py").path
    let python = try #require(ProcessRunner.find("python3"))
    let result = try ProcessRunner(python).run([script, source, store])
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("compared"))
  }
}
