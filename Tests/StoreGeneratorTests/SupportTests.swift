internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct SupportTests {
  @Test func temporaryDirectoryRemovesItself() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(directory?.path)
    _ = try directory?.write([1, 2, 3], to: "file")
    #expect(try directory?.contents() == ["file"])
    directory = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func seededNumbersRepeat() {
    // The first numbers of the reference implementation for the seed 1234567.
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func streamsOfAProgramAreKeptApart() throws {
    let shell = ProcessRunner("/bin/sh", environment: ["WORD": "out"])
    let result = try shell.run(["-c", "cat; echo $WORD; echo err >&2; exit 3"], input: [104, 105])
    #expect(result.status == 3)
    #expect(result.signal == nil)
    #expect(result.output == "hiout\n")
    #expect(result.errorOutput == "err\n")
  }

  @Test func muchOutputDoesNotBlockTheProgram() throws {
    let script = "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"
    let result = try ProcessRunner("/bin/sh").run(["-c", script])
    #expect(result.outputBytes.count == 3_000_000)
    #expect(result.errorBytes.count == 3_000_000)
  }

  @Test func signalsAreReported() throws {
    let running = try ProcessRunner("/bin/sh").start(["-c", "while :; do :; done"])
    running.send(signal: 9)
    let result = try running.wait()
    #expect(result.signal == 9)
    #expect(result.status == 137)
  }

  // Needs the folder of real stores, which is not part of the repository.
  @Test(.enabled(if: RealStores.isAvailable)) func allRealStoresAreFound() throws {
    #expect(RealStores.all.count == RealStores.expectedCount)
    let directory = try TemporaryDirectory()
    let store = try #require(RealStores.named("Bookmarks_V5.sqlite"))
    let copy = try RealStores.copy(store, to: directory)
    #expect(copy == directory.file("Bookmarks_V5.sqlite"))
    #expect(try directory.contents() == ["Bookmarks_V5.sqlite", "Bookmarks_V5.sqlite-wal"])
  }

  // Needs the oracles, which are not part of the repository.
  @Test(.enabled(if: Oracle.isAvailable && RealStores.isAvailable)) func oraclesRun() throws {
    let store = try #require(RealStores.named("SampleModel_V1.sqlite"))
    let result = try Oracle.run("samestore.py", [store.path, store.path])
    #expect(result.status == 0)
  }
}
