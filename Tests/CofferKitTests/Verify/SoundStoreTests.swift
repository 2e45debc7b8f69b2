internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// Where nothing is wrong, nothing is found.
@Suite struct SoundStoreTests {
  @Test func theSampleHasNoFindings() throws {
    let sample = try SampleCopy()
    let verification = try Verification(of: sample.path)
    #expect(verification.texts == [])
    #expect(verification.summary.objectCount == 37)
    #expect(try Verification.ofArchive(of: sample.path).texts == [])
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func generatedStoresHaveNoFindings(
    _ seed: UInt64
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    (options.objectCount, options.seed, options.externalCount) = (3000, seed, 5)
    try StoreMaker.write(to: path, options)
    #expect(try Verification(of: path).texts == [])
    #expect(try Verification.ofArchive(of: path).texts == [])
  }
}
