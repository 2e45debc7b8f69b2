internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Real stores with derived attributes and spatial indexes, and copies of them with changes.
@Suite struct DerivedRealStoreTests {
  /// A change, and the findings in the store and its archive.
  struct Change: Sendable {
    var store: String
    var sql: String
    var findings: [String]
  }

  static let changes = [
    Change(
      store: "SampleModel2_V1.sqlite",
      sql: "UPDATE ZBOOK SET ZPAGESCOUNT = 98 WHERE Z_PK = 11",
      findings: ["error derived-value-mismatch GraphicNovel/p11.pagesCount"]),
    Change(
      store: "Test-PhotoScript-13.0.1-Single-Photo.photoslibrary/database/Photos.sqlite",
      sql: "UPDATE ZASSET SET ZDERIVEDCAMERACAPTUREDEVICE = 1",
      findings: ["error derived-value-mismatch Asset/p1.derivedCameraCaptureDevice"]),
    Change(
      store: "Test-PhotoScript-13.0.1-Single-Photo.photoslibrary/database/Photos.sqlite",
      sql: "DELETE FROM Z_RT_Asset_boundedByRect",
      findings: ["error spatial-index-mismatch Asset/p1.boundedByRect"]),
    Change(
      store: "Test-PhotoScript-10.15.7.photoslibrary/database/Photos.sqlite",
      sql: """
        DELETE FROM Z_RT_GenericAsset_boundedByRect WHERE Z_PK = 2;
        UPDATE Z_RT_GenericAsset_boundedByRect SET ZLATITUDE_MAX = 34 WHERE Z_PK = 4
        """,
      findings: [
        "error spatial-index-mismatch Asset/p2.boundedByRect",
        "error spatial-index-mismatch Asset/p4.boundedByRect",
      ]),
  ]

  private static var options: VerificationOptions {
    var options = VerificationOptions()
    options.checks = [.derived, .spatialIndex]
    return options
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"), arguments: changes)
  func aChangeIsFound(_ change: Change) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(try #require(RealStores.named(change.store)), to: folder)
    #expect(try Verification(of: path, options: Self.options).texts == [])
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    try database.dropTriggers()
    try database.run(change.sql)
    #expect(try Verification(of: path, options: Self.options).texts == change.findings)
    let archive = try Verification.ofArchive(of: path, options: Self.options)
    #expect(archive.texts == change.findings)
  }

  @Test(arguments: RealStores.any) func realStoresAreRight(_ store: RealStore) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: folder)
    let findings = try Verification(of: path, options: Self.options).findings
    #expect(findings.filter { $0.code != .checkNotRun } == [])
  }
}
