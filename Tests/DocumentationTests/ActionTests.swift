internal import Foundation
internal import TestSupport
internal import Testing

/// The step of `action.yml` that verifies, with a program instead of coffer that prints its arguments.
@Suite struct ActionTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in [
      "top.sqlite", "a b/one.sqlite", "a b/c/two.sqlite", "a b/.d/x.sqlite", ".e/y.sqlite",
    ] {
      let path = URL(fileURLWithPath: folder.file(name))
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: path)
    }
    try FileManager.default.createDirectory(
      atPath: folder.file("bin"), withIntermediateDirectories: true)
    _ = try folder.write(Array("#!/bin/sh\necho \"$4\"\n".utf8), to: "bin/coffer")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.file("bin/coffer"))
    let text = try Repository.text("action.yml")
    let step = try #require(text.components(separatedBy: "- name: Verify\n").last)
    let script = try #require(step.components(separatedBy: "run: |\n").last)
    _ = try folder.write(Array(script.utf8), to: "bin/verify.sh")
  }

  private func verified(_ pattern: String) throws -> (status: Int32, files: [String]) {
    let bash = try #require(ProcessRunner.find("bash"))
    let script = """
      cd '\(folder.path)' && FILES='\(pattern)' FAIL_ON=error SARIF= PATH="$PWD/bin:$PATH" \
        exec bash --noprofile --norc -eo pipefail bin/verify.sh
      """
    let result = try ProcessRunner(bash).run(["-c", script])
    return (result.status, result.output.split(separator: "\n").map(String.init))
  }

  /// The bash of macOS, 3.2, has no `globstar`.
  @Test func twoStarsNeedNoNewBash() throws {
    #expect(try !Repository.text("action.yml").contains("shopt -s globstar"))
    #expect(
      try verified("**/*.sqlite").files == [
        "./a b/c/two.sqlite", "./a b/one.sqlite", "./top.sqlite",
      ])
    #expect(try verified("a b/**/*.sqlite").files == ["a b/c/two.sqlite", "a b/one.sqlite"])
    #expect(try verified("*.sqlite").files == ["top.sqlite"])
    #expect(try verified("a b/*.sqlite").files == ["a b/one.sqlite"])
    #expect(try verified("**/none.sqlite").status == 1)
  }
}
