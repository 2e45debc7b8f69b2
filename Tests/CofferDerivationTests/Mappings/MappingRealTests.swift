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

  /// The file keeps the models in a form of Xcode's, which is not read.
  @Test(arguments: RealMappings.all)
  func everyMappingModelIsRead(_ path: String) throws {
    let mapping = try MappingModel(path: path)
    #expect(!mapping.entities.isEmpty)
    #expect(mapping.source == nil && mapping.destination == nil)
    #expect(mapping.entities.contains { !$0.attributes.isEmpty || !$0.relationships.isEmpty })
  }
}
