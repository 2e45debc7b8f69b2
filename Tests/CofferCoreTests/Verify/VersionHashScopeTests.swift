internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// A difference counts exactly if Core Data's own version hashes differ.
@Suite struct VersionHashScopeTests {
  /// A folder of the versions of a real model, with the hashes that Xcode computed.
  private struct Versions {
    var models: [String: ManagedObjectModel] = [:]
    var hashes: [String: [Name: [UInt8]]] = [:]

    init(_ folder: String) throws {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/VersionInfo.plist")))
      let list = try PropertyListValue.parse(bytes)
      let found = list["NSManagedObjectModel_VersionHashes"]?.entries
      for entry in try #require(found) {
        let version = entry.key
        for hash in entry.value.entries ?? [] {
          hashes[version, default: [:]][Name(hash.key)] = hash.value.dataValue
        }
        models[version] = try ModelLoader.model(from: "\(folder)/\(version).mom")
      }
    }
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func entitiesDifferWhereTheirVersionHashesDo() throws {
    let root = try #require(RealStores.folder)
    let folders = (FileManager.default.subpaths(atPath: root) ?? [])
      .filter { $0.hasSuffix(".momd") }.sorted()
    #expect(folders.count == 3)
    var (equal, different) = (0, 0)
    for folder in folders {
      let versions = try Versions("\(root)/\(folder)")
      for (name, model) in versions.models {
        for (other, given) in versions.models {
          let difference = ModelDifference(of: model, and: given, scope: .versionHash)
          let differing = Set(difference.changes.map(\.entityName))
          for entity in model.entities where given[entity.name] != nil {
            let hash = try #require(versions.hashes[name]?[entity.name])
            let isSame = versions.hashes[other]?[entity.name] == hash
            // The hash of an entity holds that of the one above it.
            let lineage = Set(model.lineage(of: entity.name).map(\.name))
            #expect(
              differing.isDisjoint(with: lineage) == isSame,
              "\(folder): \(name) \(other) \(entity.name)")
            if isSame { equal += 1 } else { different += 1 }
          }
        }
      }
    }
    #expect(equal > 50)
    #expect(different > 10)
  }
}
