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
    #expect(error?.code == .notAMappingModel)
    #expect(error?.detail.contains("compiled mapping model") == true)
  }

  @Test func anotherFolderIsNoMappingModel() throws {
    let folder = try TemporaryDirectory()
    let error = #expect(throws: CofferError.self) { try MappingModel(path: folder.path) }
    #expect(error?.code == .notAMappingModel)
    #expect(error?.detail == "it is a folder without xcmapping.xml")
  }

  /// Whatever is in the file, reading it and planning with it gives a result or an error.
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

  /// Entity mappings with properties, expressions and filters at random: a migration gives a store that is
  /// sound, or an error.
  @Test func noMappingCrashes() throws {
    let folder = try TemporaryDirectory()
    let old = folder.file("Old.sqlite")
    try SampleStore.write(to: old, journal: .delete)
    let path = folder.file("Random.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let names = Self.model.entities.map(\.name.text)
    let properties = Self.model.entities.flatMap { entity in
      entity.attributes.map(\.name.text) + entity.relationships.map(\.name.text)
    }
    var random = SeededGenerator(seed: 7)
    func any(_ list: [String]) -> String { list[random.below(list.count)] }
    var carriedOut = 0
    for round in 0..<Effort.tries(150) {
      var file = MappingFile.copying(Self.model, to: Self.model)
      for _ in 0..<(1 + random.below(4)) {
        let index = random.below(file.entities.count)
        let expressions: [ModelExpression?] = [
          nil, .constant(nil), .constant(.integer(3)), .source(any(properties)),
          .source("\(any(properties)).\(any(properties))"),
          .instances("\(any(names))To\(any(names))", .source(any(properties))),
          .instances("\(any(names))To\(any(names))", .variable("source")),
          .function(
            operand: nil, name: any(["abs:", "uppercase:", "add:to:", "nonsense:"]),
            arguments: [.source(any(properties))]),
          .function(
            operand: nil, name: any(["add:to:", "multiply:by:", "raise:toPower:", "divide:by:"]),
            arguments: [.source("\(any(properties)).\(any(properties))"), .source(any(properties))]),
          .function(
            operand: nil, name: any(["from:subtract:", "bitwiseAnd:with:"]),
            arguments: [.source("\(any(properties)).@count"), .constant(.integer(3))]),
        ]
        switch random.below(6) {
        case 0: file.entities.remove(at: index)
        case 1: file.entities[index].source = any(names)
        case 2: file.entities[index].destination = any(names)
        case 3:
          file.entities[index].filter = ["title != nil", "1 == 0", "nonsense ("][random.below(3)]
        case 4 where !file.entities[index].attributes.isEmpty:
          let place = random.below(file.entities[index].attributes.count)
          file.entities[index].attributes[place].1 = expressions[random.below(expressions.count)]
        case 5 where !file.entities[index].relationships.isEmpty:
          let place = random.below(file.entities[index].relationships.count)
          file.entities[index].relationships[place].1 = expressions[random.below(expressions.count)]
        default: break
        }
        if file.entities.isEmpty { break }
      }
      try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
      var options = MigrationOptions()
      options.mapping = path
      options.allowsLoss = true
      let new = folder.file("New\(round).sqlite")
      do {
        if round % 5 > 0 {
          _ = try StoreMigrator(options: options).plan(old, to: old)
        } else {
          try StoreMigrator(options: options).migrate(old, to: old, at: new)
          carriedOut += 1
        }
      } catch is CofferError {
        #expect(!FileManager.default.fileExists(atPath: new))
      }
    }
    #expect(carriedOut > 2)
  }
}
