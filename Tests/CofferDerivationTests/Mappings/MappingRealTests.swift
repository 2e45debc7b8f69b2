internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// The mapping models of real apps.
enum RealMappings {
  /// The paths of the mapping models, in a folder next to that of the real stores.
  static let all: [String] = {
    guard let folder = RealStores.folder.map({ "\($0)/../mappings" }) else { return [] }
    let names = FileManager.default.subpaths(atPath: folder) ?? []
    return names.filter { $0.hasSuffix(".xcmappingmodel") }.sorted().map { "\(folder)/\($0)" }
  }()
}

/// The mapping models of real apps, which are XML stores that Apple's frameworks wrote.
@Suite(.enabled(if: !RealMappings.all.isEmpty, "needs the real mapping models"))
struct MappingRealTests {
  @Test func allAreThere() { #expect(RealMappings.all.count == 18) }

  /// Every property that is mapped is one of the models that the file has.
  @Test(arguments: RealMappings.all)
  func everyMappingModelIsRead(_ path: String) throws {
    let mapping = try MappingModel(path: path)
    #expect(!mapping.entities.isEmpty)
    for entity in mapping.entities {
      if let name = entity.sourceName { #expect(mapping.source[name] != nil) }
      guard let name = entity.destinationName else { continue }
      let attributes = mapping.destination.allAttributes(of: name).map(\.name)
      let relationships = mapping.destination.allRelationships(of: name).map(\.name)
      for property in entity.attributes { #expect(attributes.contains(property.name)) }
      for property in entity.relationships { #expect(relationships.contains(property.name)) }
    }
  }
}
