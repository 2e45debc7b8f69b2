internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Stores with a spatial index, merged and changed by files of changes: the places of objects are in the
/// index too.
@Suite struct SpatialMergeTests {
  private let samples: SampleSources

  init() throws {
    samples = try SampleSources()
    try Damage.addSpatialIndex(samples.sample)
  }

  private static func move(_ key: Int, _ latitude: Double, _ longitude: Double) -> String {
    "UPDATE ZLOCATIONENTITY SET ZLATITUDE = \(latitude), ZLONGITUDE = \(longitude) "
      + "WHERE Z_PK = \(key)"
  }

  private static func added(_ latitude: Double) -> [String] {
    [
      "INSERT INTO ZLOCATIONENTITY (Z_PK, Z_ENT, Z_OPT, ZRADIUS, ZNAME, ZLATITUDE, ZLONGITUDE) "
        + "VALUES (4, 6, 1, 1, 'new', \(latitude), 4)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'LocationEntity'",
    ]
  }

  /// Each object in the index: its key and its place.
  private func index(of path: String) throws -> [[StoreValue]] {
    let database = try GeneratorDatabase(path: path)
    let index = try database.rows(
      "SELECT Z_PK, ZLATITUDE_MIN, ZLONGITUDE_MIN FROM \(Damage.spatialIndex) "
        + "WHERE ZLATITUDE_MIN = ZLATITUDE_MAX AND ZLONGITUDE_MIN = ZLONGITUDE_MAX ORDER BY Z_PK")
    let places = try database.rows(
      "SELECT Z_PK, ifnull(ZLATITUDE, 0), ifnull(ZLONGITUDE, 0) FROM ZLOCATIONENTITY ORDER BY Z_PK")
    #expect(index.map { $0[0] } == places.map { $0[0] })
    return index
  }

  private func findings(in path: String) throws -> [String] {
    try Verification(of: path).texts.sorted()
  }

  @Test func placesOfBothSidesAreInTheIndex() throws {
    let store = try samples.copy(
      named: "Store", changing: [Self.move(1, 10, 20)] + Self.added(1))
    let other = try samples.copy(
      named: "Other",
      changing: [
        Self.move(2, -30, 40), "UPDATE ZITEMENTITY SET ZLOCATION = NULL WHERE ZLOCATION = 3",
      ]
        + ["UPDATE ZVISITENTITY SET Z6VISITS = NULL, Z_FOK_6VISITS = NULL WHERE Z6VISITS = 3"]
        + ["DELETE FROM ZLOCATIONENTITY WHERE Z_PK = 3"] + Self.added(2))
    let path = samples.directory.file("Merged.sqlite")
    let summary = try StoreMerger().merge(other, into: store, base: samples.sample, at: path)
    #expect(summary.conflicts.count == 0)
    #expect(
      try index(of: path) == [[1, 10.0, 20.0], [2, -30.0, 40.0], [4, 1.0, 4.0], [5, 2.0, 4.0]])
    #expect(try findings(in: path) == findings(in: samples.sample))
    // The changes from the base to it, and back.
    let changes = samples.directory.file("Day.coffer-changes.tar.gz")
    try StoreComparison().writeChanges(from: samples.sample, to: path, at: .file(changes))
    let (there, back) = (
      samples.directory.file("There.sqlite"), samples.directory.file("Back.sqlite")
    )
    try ChangesApplier().apply(changes, to: samples.sample, at: there)
    #expect(try StoreComparer.differences(there, path) == [])
    var options = ApplyOptions()
    options.isReversed = true
    try ChangesApplier(options: options).apply(changes, to: path, at: back)
    #expect(try StoreComparer.differences(back, samples.sample) == [])
  }

  /// One store changed the latitude, the other the longitude: both are in the result.
  @Test func aPlaceCanBeOfBothSides() throws {
    let store = try samples.copy(
      named: "Store", changing: ["UPDATE ZLOCATIONENTITY SET ZLATITUDE = 10 WHERE Z_PK = 1"])
    let other = try samples.copy(
      named: "Other", changing: ["UPDATE ZLOCATIONENTITY SET ZLONGITUDE = 20 WHERE Z_PK = 1"])
    try StoreMerger().merge(other, into: store, base: samples.sample)
    #expect(try index(of: store).first == [1, 10.0, 20.0])
    #expect(try findings(in: store) == findings(in: samples.sample))
  }
}
