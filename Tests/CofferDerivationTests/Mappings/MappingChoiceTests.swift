internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Mapping models are carried out only for the versions that they are made for.
@Suite struct MappingChoiceTests {
  private let folder: TemporaryDirectory
  private let bundle: String

  /// Three versions: each has one attribute more.
  init() throws {
    folder = try TemporaryDirectory()
    bundle = folder.file("Trips.xcdatamodeld")
    for number in 1...3 {
      let version = "\(bundle)/Trips \(number).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      let attributes = Self.names(number).map {
        #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
      }
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Trip" representedClassName="Trip">\(attributes.joined())</entity></model>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
  }

  private static func names(_ number: Int) -> [String] {
    Array(["title", "note", "color"].prefix(number))
  }

  private func model(_ number: Int) throws -> ManagedObjectModel {
    try ModelLoader.model(from: bundle, version: "Trips \(number)")
  }

  /// A store of the second version.
  private func store() throws -> String {
    let path = folder.file("Trips.sqlite")
    let builder = try SampleStoreBuilder(path: path, model: model(2), journal: .delete)
    try builder.insert("Trip", ["title": "north", "note": "cold"])
    try builder.finish()
    return path
  }

  /// A mapping model from one version to the next, with copies of them or, as Xcode has it, with paths.
  private func mapping(
    from number: Int, hasPaths: Bool = true, policy: String? = nil, in place: String = ""
  ) throws -> String {
    var file = MappingFile(
      source: try model(number), destination: try model(number + 1),
      entities: [
        .init(
          source: "Trip", destination: "Trip", policy: policy,
          attributes: Self.names(number + 1).map { ($0, nil) })
      ])
    if hasPaths {
      file.paths = ("App/Trips \(number).xcdatamodel", "App/Trips \(number + 1).xcdatamodel")
    }
    let path = folder.file("\(place)Trips \(number)\(hasPaths ? "" : "b").xcmappingmodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
    return path
  }

  private func refusal(
    _ options: MigrationOptions, to model: String? = nil
  ) throws -> CofferError? {
    let (store, new) = (try store(), folder.file("New.sqlite"))
    let migrator = StoreMigrator(options: options)
    let error = #expect(throws: CofferError.self) {
      try migrator.migrate(store, to: model ?? bundle, at: new)
    }
    #expect(throws: CofferError.self) { try migrator.plan(store, to: model ?? bundle) }
    #expect(!FileManager.default.fileExists(atPath: new))
    return error
  }

  @Test(arguments: [true, false])
  func oneOfOtherVersionsIsRefused(_ hasPaths: Bool) throws {
    var options = MigrationOptions(version: "Trips 3")
    let wrong = try mapping(from: 1, hasPaths: hasPaths)
    options.mapping = wrong
    let error = try refusal(options)
    #expect(error?.code == .incompatibleChoices)
    #expect(error?.place.path == wrong)
    #expect(
      error?.detail == "the mapping model is not for Trips 2 to Trips 3: "
        + (hasPaths
          ? "it is for Trips 1 to Trips 2"
          : "its copy of the old model differs from Trips 2 in Trip"))
    #expect(error?.advice == [.fitMapping])
    options.mapping = try mapping(from: 2, hasPaths: hasPaths)
    let new = folder.file("New.sqlite")
    try StoreMigrator(options: options).migrate(try store(), to: bundle, at: new)
    let rows = try GeneratorDatabase(path: new).rows("SELECT ZTITLE, ZNOTE, ZCOLOR FROM ZTRIP")
    #expect(rows == [["north", "cold", .null]])
  }

  /// Models without a version's name: one that lacks an attribute is for another version.
  @Test func withoutNamesOneThatLacksAnAttributeIsRefused() throws {
    let model = folder.file("Model.sqlite")
    try SampleStoreBuilder(path: model, model: self.model(3), journal: .delete).finish()
    var options = MigrationOptions()
    options.mapping = try mapping(from: 1)
    let error = try refusal(options, to: model)
    #expect(error?.code == .incompatibleChoices)
    #expect(error?.detail.hasSuffix("it has no mapping of the attribute Trip.color") == true)
    options.mapping = try mapping(from: 2)
    #expect(try StoreMigrator(options: options).plan(store(), to: model).isPossible)
  }

  @Test func aClassThatNoMappingModelNamesIsRefused() throws {
    var options = MigrationOptions(version: "Trips 3")
    options.mapping = try mapping(from: 2, policy: "Trips.Policy")
    options.defaultPolicies = ["Trips.Polcy"]
    let error = try refusal(options)
    #expect(error?.code == .incompatibleChoices)
    #expect(error?.detail == "no mapping model names the class Trips.Polcy")
    #expect(error?.hint == "Available: Trips.Policy")
    options.defaultPolicies = ["Trips.Policy"]
    #expect(try StoreMigrator(options: options).plan(store(), to: bundle).isPossible)
  }

  @Test func foldersMustBeFoldersOfMappingModels() throws {
    var options = MigrationOptions(version: "Trips 3")
    options.mappingFolders = [folder.file("nowhere")]
    #expect(try refusal(options)?.code == .notFound)
    options.mappingFolders = [try mapping(from: 2)]
    let error = try refusal(options)
    #expect(error?.code == .incompatibleChoices)
    #expect(error?.advice == [.chooseMapping])
  }

  /// An error about a mapping model says so, and where it is.
  @Test func aDamagedOneIsNamed() throws {
    var options = MigrationOptions(version: "Trips 3")
    let path = try mapping(from: 2)
    options.mapping = path
    let file = URL(fileURLWithPath: "\(path)/xcmapping.xml")
    let whole = try String(contentsOf: file, encoding: .utf8)
    for (text, code) in [
      ("hello", CofferError.Code.notAMappingModel), ("<database/>", .notAMappingModel),
      (String(whole.dropLast(30)), .damagedMappingModel),
      (whole.replacingOccurrences(of: "z104", with: "z103"), .damagedMappingModel),
    ] {
      try Data(text.utf8).write(to: file)
      let error = try refusal(options)
      #expect(error?.code == code, "\(error.map { "\($0)" } ?? "")")
      #expect(error?.place.path == file.path)
    }
  }

  /// The store of an archive is restored in a hidden folder, which no error names.
  @Test func anErrorNamesTheArchive() throws {
    let path = try mapping(from: 2)
    let file = URL(fileURLWithPath: "\(path)/xcmapping.xml")
    let name = #"<attribute name="sourcename""#
    let text = try String(contentsOf: file, encoding: .utf8).replacing(
      name,
      with: #"<attribute name="sourcefilterpredicatestring" type="string">gone</attribute>"# + name)
    try Data(text.utf8).write(to: file)
    let archive = folder.file("Trips.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store()), to: archive)
    var options = MigrationOptions(version: "Trips 3")
    options.mapping = path
    let error = #expect(throws: CofferError.self) {
      try StoreMigrator(options: options).migrate(
        archive, to: bundle, at: folder.file("New.sqlite"))
    }
    #expect(error?.code == .noSuchProperty || error?.code == .invalidCondition)
    #expect(error?.place.path == archive)
  }

  /// One inferred step would lose every object; the steps by the mapping model keep them.
  @Test func stepsThatKeepTheObjectsArePreferred() throws {
    let place = "Roads/"
    let roads = folder.file("\(place)Roads.xcdatamodeld")
    for (number, name) in [(1, "Road"), (2, "Street"), (3, "Street")] {
      let version = "\(roads)/Roads \(number).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      let width = #"<attribute name="width" optional="YES" attributeType="Double"/>"#
      let text = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="\(name)" representedClassName="Road">
        <attribute name="title" optional="YES" attributeType="String"/>\(number == 3 ? width : "")
        </entity></model>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
    func model(_ number: Int) throws -> ManagedObjectModel {
      try ModelLoader.model(from: roads, version: "Roads \(number)")
    }
    let store = folder.file("Roads.sqlite")
    let builder = try SampleStoreBuilder(path: store, model: model(1), journal: .delete)
    try builder.insert("Road", ["title": "north"])
    try builder.finish()
    let options = MigrationOptions(version: "Roads 3")
    let error = try StoreMigrator(options: options).plan(store, to: roads)
    #expect(error.problems.map(\.code) == [.lostObjects] && error.steps.count == 1)
    var file = MappingFile(
      source: try model(1), destination: try model(2),
      entities: [.init(source: "Road", destination: "Street", attributes: [("title", nil)])])
    file.paths = ("Roads 1.xcdatamodel", "Roads 2.xcdatamodel")
    let mapping = folder.file("\(place)Map.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: mapping, withIntermediateDirectories: true)
    try Data(file.text.utf8).write(to: URL(fileURLWithPath: "\(mapping)/xcmapping.xml"))
    let plan = try StoreMigrator(options: options).plan(store, to: roads)
    #expect(plan.isPossible && plan.isDetour)
    #expect(plan.steps.map(\.mappingName) == ["Map.xcmappingmodel", nil])
    let archive = folder.file("Roads.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store), to: archive)
    let same = try StoreMigrator(options: options).plan(archive, to: roads)
    #expect(same.steps.map(\.mappingName) == plan.steps.map(\.mappingName) && same.isDetour)
    let new = folder.file("New.sqlite")
    try StoreMigrator(options: options).migrate(store, to: roads, at: new)
    #expect(try GeneratorDatabase(path: new).rows("SELECT ZTITLE FROM ZSTREET") == [["north"]])
    let bundle = try #require(try ModelBundle(path: roads))
    let mappings = try MappingFiles(besides: roads)
    let matrix = try ModelMatrix(bundle) { old, new throws(CofferError) in
      try mappings.mapping(
        from: MappedVersion(name: old.name, model: old.model),
        to: MappedVersion(name: new.name, model: new.model)
      ).map { ModelMatrix.Custom(name: $0.name, problems: []) }
    }
    let keeping = matrix.forward.map(\.keepingVersions)
    #expect(keeping == [[], ["Roads 1", "Roads 2", "Roads 3"], []])
  }
}
