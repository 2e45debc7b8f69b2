internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// What an archive only claims takes no room on the disk.
@Suite struct HostileDiskTests {
  /// No file may grow beyond 64 MiB, or the system ends the program.
  @Test(arguments: ["import a Copy.sqlite", "import - Copy.sqlite < a", "verify a"])
  func valuesThatAreNotThereTakeNoRoom(_ command: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    var archive = try ArchiveRewriter(sandbox.file("a"))
    try archive.changeLines(of: "entities/TagEntity/00000.ndjson") { lines in
      for key in 100..<300 {
        let value = "{\"$blob\":[\"value-\(key - 100)\",900000000]}"
        lines.append("{\"$pk\":\(key),\"$opt\":1,\"name\":\(value)}")
      }
    }
    try archive.write(to: sandbox.file("a"))
    let result = try sandbox.shell("ulimit -f 131072; coffer \(command)")
    #expect(result.status == (command == "verify a" ? 3 : 12))
    #expect((result.output + result.errorOutput).contains("00000.value-0"))
    #expect(try sandbox.added() == ["a"])
  }

  /// A repacked archive is unpacked to a temporary folder, and no further than its ratio allows.
  @Test func aBombTakesNoDiskSpace() throws {
    let sandbox = try Sandbox()
    let bomb = try sandbox.shell(
      """
      mkdir d && dd if=/dev/zero bs=1048576 count=0 seek=256 of=d/manifest.json &&
      tar -cf - -C d manifest.json | gzip -9 > a && rm -r d
      """)
    try #require(bomb.status == 0)
    for command in ["import a Copy.sqlite", "import - Copy.sqlite < a", "verify a"] {
      let result = try sandbox.shell("ulimit -f 393216; coffer \(command)")
      #expect(result.status == 12)
      #expect(result.errorOutput.contains("--archive-limit repacked="))
      #expect(try sandbox.added() == ["a"])
    }
  }
}
