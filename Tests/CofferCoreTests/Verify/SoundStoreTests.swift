internal import CofferKit
internal import Foundation
internal import LibrarySupport
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

  @Test(arguments: [StoreAccess.copy, .inPlace]) func verifyingChangesNothing(
    _ access: StoreAccess
  ) throws {
    let sample = try SampleCopy()
    let temporary = try TemporaryDirectory()
    var options = VerificationOptions()
    options.environment = WorkEnvironment(storeAccess: access, temporaryFolder: temporary.path)
    options.memory = 4096
    let before = try FolderState(of: sample.folder.path)
    #expect(try Verification(of: sample.path, options: options).texts == [])
    #expect(try FolderState(of: sample.folder.path) == before)
    #expect(try temporary.contents() == [])
  }

  @Test func aCancelledVerificationEnds() async throws {
    let sample = try SampleCopy()
    let path = sample.path
    let task = Task { @concurrent in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      _ = try Verification(of: path)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
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
