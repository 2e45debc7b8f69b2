internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Mapping models, read as data.
@Suite struct MappingModelTests {
  private static let model = TodoModel.model

  private static func copy() -> MappingFile {
    var file = MappingFile.copying(model, to: model)
    file.entities[0].filter = "title != nil"
    file.entities[0].attributes[0].1 = .source("title")
    file.entities[0].policy = "App.Policy"
    return file
  }

  private static func read(_ text: String) throws -> MappingModel {
    try MappingModel(XMLStoreReader.parse(Array(text.utf8)))
  }

  @Test func everythingIsRead() throws {
    let file = Self.copy()
    let mapping = try Self.read(file.text)
    #expect(mapping.source?.entities.map(\.name) == Self.model.entities.map(\.name))
    #expect(mapping.entities.count == file.entities.count)
    let first = try #require(mapping.entities.first)
    let name = try #require(file.entities[0].source)
    #expect(first.name == "\(Name(name))To\(Name(name))")
    #expect(first.filter == "title != nil")
    #expect(first.policyClass == "App.Policy")
    #expect(first.kind == .custom)
    #expect(first.attributes.count == file.entities[0].attributes.count)
    #expect(first.attributes.compactMap(\.expression?.mappingText) == ["$source.title"])
  }

  @Test func expressionsAreShownAsXcodeShowsThem() {
    let expression = ModelExpression.instances("AToB", .source("team"))
    #expect(
      expression.mappingText
        == "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'AToB', "
        + "$source.team)")
  }

  @Test func compiledMappingModelsAreRefusedByName() {
    let error = #expect(throws: CofferError.self) { try MappingModel(path: "/nowhere/A.cdm") }
    #expect(error?.code == .notAModel)
    #expect(error?.detail.contains("compiled mapping model") == true)
  }

  /// Whatever is in the file, reading it gives a result or an error.
  @Test func noChangeOfTheFileCrashes() throws {
    var random = SeededGenerator(seed: 1)
    let whole = Array(Self.copy().text.utf8)
    var refused = 0
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<(1 + random.below(6)) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(128))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(30)))
        default: bytes.insert(contentsOf: "<z102 >\"Ag==".utf8.prefix(random.below(13)), at: place)
        }
      }
      do throws(CofferError) {
        _ = try MappingModel(XMLStoreReader.parse(bytes))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 50)
  }
}
