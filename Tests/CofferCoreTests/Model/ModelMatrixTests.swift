internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferReports

@Suite struct ModelMatrixTests {
  /// A folder of versions, each with one entity of the given attributes.
  private func bundle(
    _ versions: [(String, String)], in folder: TemporaryDirectory
  ) throws -> ModelBundle {
    let path = folder.file("M.xcdatamodeld")
    for (name, body) in versions {
      let version = "\(path)/\(name).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      let text = "<?xml version='1.0'?><model><entity name='A'>\(body)</entity></model>"
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    }
    return try #require(try ModelBundle(path: path))
  }

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name='\(name)' optional='YES' attributeType='\(type)' \(more)/>"
  }

  @Test func whatOneStepCannotDoSeveralMay() throws {
    let folder = try TemporaryDirectory()
    // A number cannot become a date; removed and added again it is another attribute.
    let bundle = try bundle(
      [
        ("M", Self.attribute("a", "Integer 16")), ("M 2", Self.attribute("b", "String")),
        ("M 10", Self.attribute("a", "Date")),
      ], in: folder)
    let matrix = try ModelMatrix(bundle)
    #expect(matrix.versions == ["M", "M 2", "M 10"])
    #expect(matrix.currentVersionName == "M 10")
    #expect(matrix.routes.count == 6)
    #expect(
      matrix.forward.map(\.versions) == [["M", "M 2"], ["M", "M 2", "M 10"], ["M 2", "M 10"]])
    let route = try #require(matrix.routes.first { $0.source == "M" && $0.destination == "M 10" })
    #expect(route.stepCount == 2)
    #expect(route.problems.map(\.code) == [.changedType])
    #expect(matrix.missing == [])
  }

  @Test func aWayLeadsThroughVersionsBetweenAlone() throws {
    let folder = try TemporaryDirectory()
    // By way of the third, which lacks the attribute, and by way of the first, it could be another one.
    let bundle = try bundle(
      [
        ("M", Self.attribute("b", "String")), ("M 2", Self.attribute("a", "Integer 16")),
        ("M 3", Self.attribute("a", "Date")), ("M 4", Self.attribute("b", "String")),
      ], in: folder)
    let matrix = try ModelMatrix(bundle, current: "M 3")
    let ways = matrix.routes.filter { Set([$0.source, $0.destination]) == ["M 2", "M 3"] }
    #expect(ways.map(\.versions) == [[], []])
    #expect(matrix.missing.map(\.source) == ["M 2"])
  }

  @Test func aMissingWayIsOneFromAnOlderVersionAlone() throws {
    let folder = try TemporaryDirectory()
    let bundle = try bundle(
      [("M", Self.attribute("a", "Integer 16")), ("M 2", Self.attribute("a", "Date"))],
      in: folder)
    let missing = try ModelMatrix(bundle).missing
    #expect(missing.map(\.source) == ["M"])
    #expect(missing.map(\.stepCount) == [0])
    #expect(try ModelMatrix(bundle, current: "M").missing == [])
    #expect(throws: CofferError.self) { try ModelMatrix(bundle, current: "M 3") }
  }

  @Test(.enabled(if: RealStores.isAvailable, "COFFER_REAL_STORES is not set"))
  func everyRouteOfRealVersionsIsAChainOfPossibleSteps() throws {
    let folder = try #require(RealStores.folder)
    var count = 0
    for name in FileManager.default.subpaths(atPath: folder) ?? []
    where name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".momd") {
      guard let bundle = try? ModelBundle(path: "\(folder)/\(name)"),
        let matrix = try? ModelMatrix(bundle)
      else { continue }
      for route in matrix.routes where route.isPossible {
        #expect(route.versions.first == route.source && route.versions.last == route.destination)
        #expect(route.problems.isEmpty == (route.stepCount == 1), "\(name)")
        for (one, next) in zip(route.versions, route.versions.dropFirst()) {
          let step = matrix.routes.first { $0.source == one && $0.destination == next }
          #expect(step?.problems == [], "\(name): \(one) to \(next)")
        }
        count += 1
      }
    }
    #expect(count > 100)
  }
}
