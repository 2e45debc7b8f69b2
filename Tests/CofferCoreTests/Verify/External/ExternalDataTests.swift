internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Values that stand in files, and the files.
@Suite struct ExternalDataTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func theFindingsAreThoseOfALookAtEverything(
    _ seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Random.sqlite")
    let store = RandomExternalStore(seed: seed)
    try store.write(to: path)
    var options = VerificationOptions()
    options.checks = [.externalData]
    #expect(store.expected.count > 10)
    let found = try Verification(of: path, options: options)
    #expect(Self.texts(found) == store.expected, "seed \(seed)")
    let archive = try Verification.ofArchive(of: path, options: options)
    #expect(Self.texts(archive) == store.expected, "in an archive, seed \(seed)")
  }

  @Test func aSharedFileNamesTheOtherValue() throws {
    let sample = try SampleCopy()
    try Damage.sharedExternalFile.apply(to: sample.path)
    let finding = try #require(try Verification(of: sample.path).findings.first)
    let name = "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"
    #expect(finding.detail == "\(name), also used by AttachmentEntity/p1.content")
  }

  @Test func whatAnImportReportsIsNamedTheSame() throws {
    let sample = try SampleCopy()
    try Damage.missingExternalFolder.apply(to: sample.path)
    let trip = try RoundTrip(of: sample.path)
    #expect(try Verification(of: sample.path).findings == trip.imported.findings)
    #expect(try Verification(of: trip.archive).findings == trip.imported.findings)
  }

  @Test func withoutAModelItIsSaidThatFilesCannotBeChecked() throws {
    let sample = try SampleCopy(changedBy: "DELETE FROM Z_MODELCACHE")
    var options = VerificationOptions()
    options.checks = [.externalData]
    let verification = try Verification(of: sample.path, options: options)
    #expect(verification.texts == ["warning check-not-run"])
    #expect(verification.summary.checksNotRun == [.externalData])
  }

  /// The findings, each with the name of the file, in the order of their texts.
  private static func texts(_ verification: Verification) -> [String] {
    verification.findings.map { finding in
      var words = [Verification.text(finding)]
      if finding.code != .invalidExternalMarker {
        let name = finding.detail.split(separator: ",").first.map(String.init) ?? ""
        words.append(name.replacingOccurrences(of: "_EXTERNAL_DATA/", with: ""))
      }
      return words.joined(separator: " ")
    }.sorted()
  }
}
