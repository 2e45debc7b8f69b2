internal import CoreDataModel
internal import POSIX
internal import Testing

@Suite struct SystemAdviceTests {
  @Test(arguments: ["/", "/nowhere/at/all", "nowhere", "", "nowhere/at/all"])
  func aFullDiskIsToldWithWhatIsLeft(_ path: String) throws {
    let hint = try #require(SystemAdvice.advice(for: ENOSPC, at: path)?.description)
    let wording = /The disk is full. Free some space. [0-9]+ (bytes|kB|MB|GB) are free\./
    #expect(hint.wholeMatch(of: wording) != nil)
  }

  @Test func aStreamHasNoDiskToLookAt() {
    #expect(SystemAdvice.advice(for: ENOSPC, at: nil) == "The disk is full. Free some space.")
  }

  @Test(arguments: [
    EDQUOT, EFBIG, EACCES, EPERM, EROFS, EMFILE, ENFILE, ENOENT, EIO, ENOMEM, ENAMETOOLONG,
  ])
  func whatAUserCanChangeHasAHint(_ number: Int32) throws {
    #expect(try #require(SystemAdvice.advice(for: number, at: "/")?.description).hasSuffix("."))
  }

  @Test func whatNobodyCanChangeHasNone() {
    #expect(SystemAdvice.advice(for: EBADF, at: "/") == nil)
  }
}
