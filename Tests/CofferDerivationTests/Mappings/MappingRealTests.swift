internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A mapping model of a real app.
struct RealMapping: Sendable, CustomStringConvertible {
  /// The mapping models, in a folder next to that of the real stores.
  static let all: [RealMapping] = {
    guard let folder = RealStores.folder.map({ "\($0)/../mappings" }) else { return [] }
    let names = FileManager.default.subpaths(atPath: folder) ?? []
    return names.filter { $0.hasSuffix(".xcmappingmodel") }.sorted()
      .map { RealMapping(path: "\(folder)/\($0)", app: String($0.prefix { $0 != "/" })) }
  }()

  let path: String
  /// The folder of the app.
  let app: String

  var description: String { StorePaths.name(of: path) }

  /// The folder of the versions, and the names of the two.
  func versions() throws -> (bundle: String, old: String, new: String) {
    let mapping = try MappingModel(path: path)
    let old = try #require(mapping.sourcePath).split(separator: "/").map(String.init)
    let new = try #require(mapping.destinationPath).split(separator: "/").map(String.init)
    let folder = "\(try #require(RealStores.folder))/\(app)"
    let bundle = try #require(
      (FileManager.default.subpaths(atPath: folder) ?? [])
        .first { $0.hasSuffix("/\(old[old.count - 2])/\(old[old.count - 1])") && !$0.contains("@") }
    )
    func name(_ file: String) -> String { file.replacingOccurrences(of: ".xcdatamodel", with: "") }
    return (
      "\(folder)/\(StorePaths.folder(of: bundle))", name(old[old.count - 1]),
      name(new[new.count - 1])
    )
  }
}

/// The mapping models of real apps, which are XML stores that Apple's frameworks wrote.
@Suite(
  .enabled(
    if: !RealMapping.all.isEmpty && Oracle.isAvailable, "needs the real mapping models and oracles"
  ))
struct MappingRealTests {
  @Test func allAreThere() { #expect(RealMapping.all.count == 18) }

  /// The file keeps the models in a form of Xcode's, which is not read.
  @Test(arguments: RealMapping.all)
  func everyMappingModelIsRead(_ real: RealMapping) throws {
    let mapping = try MappingModel(path: real.path)
    #expect(!mapping.entities.isEmpty)
    #expect(mapping.source == nil && mapping.destination == nil)
    #expect(mapping.entities.contains { !$0.attributes.isEmpty || !$0.relationships.isEmpty })
    #expect(mapping.entities.allSatisfy { $0.policyClass != "" && $0.filter == nil })
  }

  /// Stores of the old version, with invented objects, and those at hand.
  @Test(arguments: RealMapping.all)
  func everyMappingModelIsCarriedOut(_ real: RealMapping) throws {
    let (bundle, old, new) = try real.versions()
    let folder = try TemporaryDirectory()
    var sources: [(path: String, model: String)] = []
    for seed in 0..<3 {
      let path = folder.file("Made\(seed).sqlite")
      var options = FixtureOptions(objectCount: 3 + 8 * seed, seed: UInt64(seed))
      options.modelVersion = old
      try FixtureMaker(options: options).make(bundle, at: path)
      sources.append((path, "\(bundle)/\(old).xcdatamodel"))
    }
    for store in RealStores.all where store.name.hasPrefix(real.app) {
      let match = try? VersionMatch(of: store.path, in: bundle, environment: WorkEnvironment())
      guard match?.versions == [old] else { continue }
      sources.append((store.path, "\(bundle)/\(old).xcdatamodel"))
    }
    for (number, source) in sources.enumerated() {
      var options = MigrationOptions(version: new)
      options.mapping = real.path
      options.storeModel = old
      options.keepsNames = true
      options.defaultPolicies = try MappingModel(path: real.path).entities.compactMap(\.policyClass)
      let target = folder.file("New\(number).sqlite")
      try StoreMigrator(options: options).migrate(source.path, to: bundle, at: target)
      try expectWhatTheMappingSays(source, real, "\(bundle)/\(new).xcdatamodel", target)
    }
  }

  /// Among all of them, the one for two versions is found by the names that it states.
  @Test(arguments: RealMapping.all)
  func everyMappingModelIsFound(_ real: RealMapping) throws {
    let (bundle, old, new) = try real.versions()
    let folder = try TemporaryDirectory()
    let all = folder.file("all")
    try FileManager.default.createDirectory(atPath: all, withIntermediateDirectories: true)
    for other in RealMapping.all {
      try FileManager.default.createSymbolicLink(
        atPath: "\(all)/\(other)", withDestinationPath: other.path)
    }
    var options = MigrationOptions()
    options.mappingFolders = [all]
    let mappings = try MappingFiles(besides: nil, options)
    let versions = try #require(try ModelBundle(path: bundle))
    let models = try ModelMatrix(versions) {
      old, new throws(CofferError) in
      try mappings.mapping(
        from: MappedVersion(name: old.name, model: old.model),
        to: MappedVersion(name: new.name, model: new.model)
      ).map {
        ModelMatrix.Custom(name: $0.name, problems: $0.problems(from: old.model, to: new.model))
      }
    }
    let route = try #require(models.routes.first { $0.source == old && $0.destination == new })
    let needsCode = try MappingModel(path: real.path).entities.contains { $0.policyClass != nil }
    #expect(route.isPossible == !needsCode || route.stepCount > 1, "\(route.problems)")
    if !needsCode { #expect(route.mappingNames == ["\(real)"]) }
    let back = try #require(models.routes.first { $0.source == new && $0.destination == old })
    #expect(!back.mappingNames.contains("\(real)"))
  }

  private func expectWhatTheMappingSays(
    _ source: (path: String, model: String), _ real: RealMapping, _ model: String, _ new: String
  ) throws {
    let result = try MappingOracle.compare(
      source.path, new, models: (source.model, model), mapping: real.path)
    #expect(result.status == 0, "\(source.path): \(result.output)\(result.errorOutput)")
    #expect(result.output.contains("compared"))
    var options = VerificationOptions()
    options.environment.model = try ModelLoader.load(from: model)
    options.skippedCodes = [.noVersionHashes]
    _ = try Verifier(options: options).verify(new) { finding in
      #expect(finding.severity != .error, "\(finding)")
    }
  }

  /// The app's own store of version 6 is what Core Data made of its store of version 5 with this mapping model.
  @Test func coreDataGivesTheSameRows() throws {
    let real = try #require(RealMapping.all.first { $0.path.hasSuffix("v5_v6.xcmappingmodel") })
    let (bundle, old, new) = try real.versions()
    let folder = try TemporaryDirectory()
    let source = try #require(RealStores.named("UserData_DB_v5/Data.sqlite")?.path)
    let judge = folder.file("Judge.sqlite")
    try FileManager.default.copyItem(
      atPath: try #require(RealStores.named("UserData_DB_v6/Data.sqlite")?.path), toPath: judge)
    var options = MigrationOptions(version: new)
    options.storeModel = old
    options.mapping = real.path
    let made = folder.file("New.sqlite")
    try StoreMigrator(options: options).migrate(source, to: bundle, at: made)
    // Core Data renumbers the objects.
    for sql in [
      "SELECT Z_ENT, Z_OPT, ZDIRTY, ZDISCARDED, ZDATE, ZLASTPLAYBACKPOSITION, ZUID, ZDEVICEUID "
        + "FROM ZSRGUSEROBJECT ORDER BY ZUID, ZDATE",
      "SELECT Z_ENT, Z_OPT, ZHISTORYLOCALSYNCHRONIZATIONDATE, ZHISTORYSERVERSYNCHRONIZATIONDATE, "
        + "ZACCOUNTUID FROM ZSRGUSER",
    ] {
      let rows = try GeneratorDatabase(path: judge).rows(sql)
      #expect(!rows.isEmpty)
      #expect(try GeneratorDatabase(path: made).rows(sql) == rows)
    }
  }
}
