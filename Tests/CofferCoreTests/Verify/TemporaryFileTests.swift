internal import CoreDataModel
internal import TestSupport
internal import Testing

@testable internal import CofferCore

@Suite struct TemporaryFileTests {
  /// A file's bytes from one place.
  private func read(_ file: TemporaryFile, at offset: Int, count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0xee, count: count)
    try unsafe bytes.withUnsafeMutableBytes { room in try unsafe file.read(at: offset, into: room) }
    return bytes
  }

  private func append(_ bytes: [UInt8], to file: TemporaryFile) throws -> Int {
    try unsafe bytes.withUnsafeBytes { try unsafe file.append($0) }
  }

  @Test func bytesAreReadWhereTheyWereAppended() throws {
    let folder = try TemporaryDirectory()
    let file = TemporaryFile(in: folder.path)
    #expect(try append([1, 2, 3], to: file) == 0)
    #expect(try append([], to: file) == 3)
    #expect(try append([4, 5], to: file) == 3)
    #expect(file.size == 5)
    #expect(try read(file, at: 0, count: 5) == [1, 2, 3, 4, 5])
    #expect(try read(file, at: 2, count: 2) == [3, 4])
    #expect(try append([6], to: file) == 5)
    #expect(try read(file, at: 4, count: 2) == [5, 6])
  }

  @Test func theFolderStaysEmpty() throws {
    let folder = try TemporaryDirectory()
    let file = TemporaryFile(in: folder.path)
    #expect(try append([1, 2, 3], to: file) == 0)
    #expect(try folder.contents() == [])
    #expect(try read(file, at: 0, count: 3) == [1, 2, 3])
  }

  @Test func nothingIsMadeBeforeTheFirstBytes() {
    let file = TemporaryFile(in: "/nowhere/at/all")
    #expect(file.size == 0)
    #expect(file.folder == "/nowhere/at/all")
  }

  @Test func missingFolderIsATypedError() throws {
    let folder = try TemporaryDirectory()
    let missing = folder.file("missing")
    let file = TemporaryFile(in: missing)
    let error = #expect(throws: CofferError.self) { try append([1], to: file) }
    #expect(error?.code.text == "temporary-storage-failed")
    #expect(error?.place.path == missing)
    #expect(error?.detail == "No such file or directory")
    #expect(error?.advice == [.chooseTemporaryFolder])
    #expect(file.size == 0)
  }

  @Test(arguments: [CofferError.Code.writeFailed, .temporaryStorageFailed])
  func aFullFolderIsNamedWithoutItsHiddenFiles(_ code: CofferError.Code) async throws {
    let folder = try TemporaryDirectory()
    let work = try WorkFolder(for: .query, in: folder.path)
    let error = await #expect(throws: CofferError.self) {
      try await BackgroundWork.run {
        throw CofferError(
          code, path: work.path("restored/store.sqlite"), offset: 512, detail: "disk is full")
      }
    }
    #expect(
      error?.description == "\(folder.path): cannot store temporary data: disk is full")
    #expect(error?.advice == [.chooseTemporaryFolder])
  }

  @Test func readingBehindTheEndIsATypedError() throws {
    let folder = try TemporaryDirectory()
    let file = TemporaryFile(in: folder.path)
    _ = try append([1, 2, 3], to: file)
    let error = #expect(throws: CofferError.self) { try read(file, at: 2, count: 2) }
    #expect(error?.detail == "the temporary file was truncated")
  }
}
