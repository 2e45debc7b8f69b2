internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import TestSupport
internal import Testing

@testable internal import BackupPlaces

@Suite struct RcloneAddressTests {
  @Test func addressesAreChecked() throws {
    for text in ["rclone:", "rclone:remote", "rclone:-x:y", "rclone:a\n:b", "rclone::s3,k=v:b"] {
      #expect(codeThrown { _ = try RcloneAddress(text) } == .invalidPlace, "\(text)")
    }
    #expect(try RcloneAddress("rclone:r:a/b/").path("c") == "r:a/b/c")
    #expect(try RcloneAddress("rclone:r:").path("-c") == "r:-c")
    #expect(try RcloneAddress("rclone:r:/").path("c") == "r:/c")
  }

  @Test func optionsOfARemoteAreNotRepeated() {
    do {
      _ = try RcloneAddress("rclone::s3,secret=hush:b")
      Issue.record("it was taken")
    } catch {
      #expect(!"\(error)".contains("hush"))
    }
  }
}

/// A folder through rclone, beyond the behavior of all places.
@Suite(.enabled(if: RclonePlace.isInstalled, "the program rclone"))
struct RclonePlaceTests {
  @Test func anUnknownRemoteIsReported() throws {
    var environment = ProcessInfo.processInfo.environment
    environment["RCLONE_CONFIG"] = "/dev/null"
    let place = RclonePlace(try RcloneAddress("rclone:nobody:a"), environment: environment)
    do {
      _ = try place.list("")
      Issue.record("it was listed")
    } catch {
      #expect(error.code == .readFailed)
      #expect(error.detail.contains("didn't find section in config file"), "\(error)")
    }
  }

  @Test func filesWithNamesOfOptionsAndRemotesAreSent() throws {
    let folder = try TemporaryDirectory()
    let place = try RclonePlace.folder(folder.file("place"))
    for name in ["--version", "a:b"] {
      _ = try folder.write(Array(name.utf8), to: name)
      try place.put(name, from: folder.file(name))
      #expect(try place.read(name) == Array(name.utf8))
    }
  }

  @Test func whatAKilledWriterLeftGoesADayLater() throws {
    let folder = try TemporaryDirectory()
    let old = try folder.write([1], to: ".coffer-partial-0123abcd")
    let new = try folder.write([1], to: ".coffer-partial-0123abce")
    let other = try folder.write([1], to: ".coffer-partial-of-others")
    for path in [old, other] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -100_000)], ofItemAtPath: path)
    }
    let place = try RclonePlace.folder(folder.path)
    #expect(try place.list("") == [])
    try place.put("a", from: new)
    #expect(
      try folder.contents() == [".coffer-partial-0123abce", ".coffer-partial-of-others", "a"])
  }

  @Test func aMissingRcloneIsReported() throws {
    let folder = try TemporaryDirectory()
    let place = RclonePlace(
      try RcloneAddress("rclone:r:a"), environment: [:], program: folder.file("none"))
    #expect(codeThrown { _ = try place.list("") } == .placeUnreachable)
    #expect(
      codeThrown { try place.put("a", from: folder.write([1], to: "file")) } == .placeUnreachable)
  }

  /// Scripts instead of rclone, with behavior that it does not have.
  private func place(saying script: String, _ folder: TemporaryDirectory) throws -> RclonePlace {
    let text = try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "script")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: text)
    // By another process: a child of another test may still have what this one writes open, and then it
    // cannot be run.
    let path = folder.file("rclone")
    _ = try ProcessRunner("/bin/cp").run(["-p", text, path])
    return RclonePlace(
      try RcloneAddress("rclone:r:a"), environment: ["PATH": "/usr/bin:/bin"], program: path)
  }

  @Test(arguments: ["echo '{'", "echo 1", "head -c 300000000 /dev/zero", "echo oops >&2; exit 1"])
  func answersThatAreNoListAreRefused(_ script: String) throws {
    let folder = try TemporaryDirectory()
    let place = try place(saying: script, folder)
    #expect(codeThrown { _ = try place.list("") } == .readFailed)
  }

  /// rclone moves the file, does not learn of it, tries again and finds nothing to move.
  @Test(arguments: [3, 4, 1])
  func aFileWhoseMoveWasDoneIsThereAlthoughTheAnswerWasLost(_ status: Int) throws {
    for (size, isDone) in [(5, true), (4, false)] {
      let folder = try TemporaryDirectory()
      let place = try place(
        saying: """
          for path; do :; done
          case $1 in
            moveto) echo > \(folder.file("moved")); exit \(status) ;;
            lsjson)
              case $path in *.coffer-partial-*) exit 4 ;; esac
              [ -e \(folder.file("moved")) ] || exit 4
              echo '{"Path":"x","Size":\(size),"ModTime":"2026-11-22T03:15:00Z","IsDir":false}' ;;
          esac
          """, folder)
      let file = try folder.write([1, 2, 3, 4, 5], to: "file")
      let code = codeThrown {
        #expect(try place.putIfAbsent("a", from: file))
        try place.put("b", from: file)
      }
      #expect(code == (isDone ? nil : .writeFailed))
    }
  }

  @Test func namesThatNoPlaceHasAreLeftOut() throws {
    let folder = try TemporaryDirectory()
    let names = ["a", "../b", "c//d", "/e", "f\\u0000"]
    let items = names.map {
      #"{"Path":"\#($0)","Size":-1,"ModTime":"x","IsDir":false}"#
    }
    let place = try place(saying: "cat <<'END'\n[\(items.joined(separator: ","))]\nEND", folder)
    #expect(try place.list("").map(\.name) == ["a"])
  }

  @Test func aCancelledTaskEndsTheProgram() async throws {
    let folder = try TemporaryDirectory()
    let started = folder.file("started")
    #expect(unsafe mkfifo(started, 0o600) == 0)
    let place = try place(saying: "echo $$ > \(started); exec sleep 600", folder)
    let task = Task.detached { codeThrown { _ = try place.list("") } }
    // Opening it waits for the program, on a thread of its own: tasks have few.
    let (texts, text) = AsyncStream<String>.makeStream()
    Thread.detachNewThread {
      let data = FileHandle(forReadingAtPath: started)?.readDataToEndOfFile() ?? Data()
      text.yield(String(decoding: data, as: UTF8.self))
      task.cancel()
    }
    #expect(await task.value == .placeUnreachable)
    var iterator = texts.makeAsyncIterator()
    let written = await iterator.next() ?? ""
    let process = try #require(Int32(written.filter(\.isNumber)))
    #expect(kill(process, 0) == -1)
  }
}
