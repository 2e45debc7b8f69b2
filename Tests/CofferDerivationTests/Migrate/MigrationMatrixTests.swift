internal import CofferKit
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What the matrix of the versions of a model says, a migration does.
@Suite struct MigrationMatrixTests {
  /// Folders of real versions.
  private static let bundles: [String] = {
    guard let folder = RealStores.folder else { return [] }
    return (FileManager.default.subpaths(atPath: folder) ?? [])
      .filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }.sorted()
      .map { "\(folder)/\($0)" }
  }()

  @Test(.enabled(if: RealStores.isAvailable, "COFFER_REAL_STORES is not set"), arguments: bundles)
  func everyCellIsTrue(path: String) throws {
    guard let bundle = try? ModelBundle(path: path), let matrix = try? ModelMatrix(bundle),
      matrix.versions.count > 1
    else { return }
    let folder = try TemporaryDirectory()
    var stores: [String: String] = [:]
    for version in matrix.versions {
      let store = folder.file("\(version).sqlite")
      let model = try bundle.model(version: version)
      try SampleStoreBuilder(path: store, model: model, journal: .delete).finish()
      stores[version] = store
    }
    for route in matrix.routes {
      let source = try #require(stores[route.source])
      var options = MigrationOptions(version: route.destination)
      options.storeModel = route.source
      let plan = try StoreMigrator(options: options).plan(source, to: path)
      let cell = "\(route.source) to \(route.destination)"
      #expect(plan.verdict == route.verdict, "\(cell)")
      guard route.verdict == .possible else { continue }
      #expect(plan.problems == [], "\(cell)")
      #expect(plan.steps.map(\.newName) == Array(route.versions.dropFirst()), "\(cell)")
      guard route.stepCount > 1 || route.destination == matrix.currentVersionName else { continue }
      let new = folder.file("New.sqlite")
      options.overwriting = true
      try StoreMigrator(options: options).migrate(source, to: path, at: new)
    }
  }
}
