internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The files of external binary data travel with their store, whatever the folder holds.
@Suite struct RoundTripExternalTests {
  @Test func orphansFoldersAndOddNamesComeBack() throws {
    let sample = try SampleCopy()
    let support = StoreFiles(sample.path).supportFolder
    let names = [
      "_EXTERNAL_DATA/DEADBEEF-0000-4000-8000-000000000000", "_EXTERNAL_DATA/deeper/file",
      "_EXTERNAL_DATA/.hidden", "_EXTERNAL_DATA/a b%2F\"c\\d\n📷", "_EXTERNAL_DATA/e\u{301}",
      "loose", "other/one/two/three.bin", "%2e%2e", "-rf",
    ]
    for (number, name) in names.enumerated() {
      let url = URL(fileURLWithPath: "\(support)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(repeating: UInt8(number), count: number * 700_000).write(to: url)
    }
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems() == [])
    #expect(trip.exported.content.externalFileCount == names.count + 2)
    #expect(trip.imported.findings == [])
  }

  @Test func linksAreNotFollowed() throws {
    let sample = try SampleCopy()
    let files = StoreFiles(sample.path)
    let secret = sample.folder.file("secret")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: "\(files.externalDataFolder)/link", withDestinationPath: secret)
    try manager.createSymbolicLink(
      atPath: "\(files.externalDataFolder)/folder", withDestinationPath: sample.folder.path)
    let name = try #require(files.externalFileNames.first { $0.hasPrefix("0F1E") })
    try manager.moveItem(
      atPath: "\(files.externalDataFolder)/\(name)", toPath: sample.folder.file("moved"))
    try manager.createSymbolicLink(
      atPath: "\(files.externalDataFolder)/\(name)",
      withDestinationPath: sample.folder.file("moved"))
    let trip = try RoundTrip(of: sample.path)
    let codes = Set(trip.exported.findings.map(\.code))
    #expect(codes == [.irregularExternalData, .missingExternalData])
    #expect(trip.exported.findings.count == 4)
    #expect(trip.exported.errorCount == 1)
    var comparer = StoreComparer()
    comparer.comparesFiles = false
    #expect(try comparer.differences(sample.path, trip.copy) == [])
    #expect(
      StoreFiles(trip.copy).externalFileNames
        == files.externalFileNames.filter {
          $0.hasPrefix("A1B2")
        })
  }

  @Test func aLinkInThePlaceOfTheFolderIsNotFollowed() throws {
    let sample = try SampleCopy()
    let support = StoreFiles(sample.path).supportFolder
    try FileManager.default.moveItem(atPath: support, toPath: sample.folder.file("moved"))
    try FileManager.default.createSymbolicLink(
      atPath: support, withDestinationPath: sample.folder.file("moved"))
    let trip = try RoundTrip(of: sample.path)
    #expect(trip.exported.content.externalFileCount == 0)
    #expect(trip.exported.findings.filter { $0.code == .irregularExternalData }.count == 1)
    #expect(trip.exported.findings.filter { $0.code == .missingExternalData }.count == 2)
  }

  @Test func aMissingFileStaysMissing() throws {
    let sample = try SampleCopy()
    try Damage.missingExternalFile.apply(to: sample.path)
    let trip = try RoundTrip(of: sample.path)
    #expect(try trip.problems() == [])
    #expect(trip.exported.errorCount == 1)
    #expect(trip.imported.counts[.error] == 1)
    #expect(trip.exported.findings == trip.imported.findings)
  }

  @Test func anEmptyFolderNeedsNotComeBack() throws {
    let sample = try SampleCopy(changedBy: "UPDATE ZATTACHMENTENTITY SET ZCONTENT = NULL")
    let files = StoreFiles(sample.path)
    for name in files.externalFileNames {
      try FileManager.default.removeItem(atPath: "\(files.externalDataFolder)/\(name)")
    }
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }
}
