internal import POSIX
internal import TestSupport
internal import Testing

/// What could not be brought to the medium is passed over only where nothing that was written can be
/// lost by that.
@Suite struct SynchronizingTests {
  /// Runs a closure with a descriptor that can be written to, but not be synchronized: `EINVAL`.
  private static func withPipe(_ body: (Int32) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { ends.forEach(FileIO.close) }
    try body(ends[1])
  }

  @Test func contentThatCannotBeSynchronizedIsAnError() throws {
    try Self.withPipe { descriptor in
      #expect(throws: SystemError(number: EINVAL)) { try FileIO.synchronize(descriptor) }
    }
  }

  @Test func whatAFileSystemCannotDoIsPassedOverWhereThatIsAskedFor() throws {
    try Self.withPipe { descriptor in try FileIO.synchronizeWherePossible(descriptor) }
  }

  @Test func everyOtherErrorIsOne() {
    #expect(throws: SystemError(number: EBADF)) { try FileIO.synchronizeWherePossible(-1) }
    #expect(throws: SystemError(number: ENOENT)) { try FileNames.synchronize("/nowhere/at/all") }
    #expect(throws: SystemError(number: ENOENT)) {
      try FileNames.synchronizeReadableFolder("/nowhere/at/all")
    }
  }

  @Test(.enabled(if: !ProcessFacts.isRoot, "root may read everything"))
  func aFolderThatMayNotBeReadIsPassedOverOnlyWhereThatIsAskedFor() throws {
    let folder = try TemporaryDirectory()
    try #require(unsafe chmod(folder.path, 0o300) == 0)
    defer { unsafe chmod(folder.path, 0o700) }
    try FileNames.synchronizeReadableFolder(folder.path)
    #expect(throws: SystemError(number: EACCES)) { try FileNames.synchronize(folder.path) }
  }
}
