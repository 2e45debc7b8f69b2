internal import BackupPlaces
internal import CoreDataModel
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

/// What every place does alike.
@Suite struct PlaceConformanceTests {
  /// Names that some service, shell or file system might take for something else.
  static let oddNames = [
    "with space", " leading and trailing ", "plus+and%20percent", "a%2Fb", "é/ü-composed",
    "e\u{301}/decomposed", "日本語/ファイル", "🧳", "question?&=#fragment", "semi;colon:and,comma",
    "quote'and\"double", "back\\slash", "star*[a-z]{x,y}", "-leading-dash", "~tilde$dollar`tick",
    "2026-11-22T03:15:00Z-full.coffer.tar.zst", ".hidden/.file", "...", "a/b/c/d/e/f/g",
    String(repeating: "long", count: 60),
    Array(repeating: String(repeating: "n", count: 100), count: 6).joined(separator: "/"),
  ]

  @Test(arguments: PlaceKind.available)
  func anEmptyPlaceListsNothing(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    #expect(try tested.place.list("") == [])
    #expect(try tested.place.list("some/prefix") == [])
  }

  @Test(arguments: PlaceKind.available, [0, 1, 1000, 5 << 20 | 1])
  func aFileComesBackAsItWas(_ kind: PlaceKind, _ size: Int) throws {
    let tested = try TestedPlace(kind)
    let bytes = noise(size)
    let before = Date()
    try tested.put("folder/file", bytes)
    #expect(try tested.place.read("folder/file") == bytes)
    let file = try #require(try tested.place.find("folder/file"))
    #expect(file.byteCount == UInt64(size))
    #expect(abs(file.written.timeIntervalSince(before)) < 120)
  }

  @Test(arguments: PlaceKind.available)
  func oddNamesAreKept(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    for (number, name) in Self.oddNames.enumerated() {
      #expect(
        try tested.place.putIfAbsent(name, from: tested.local([UInt8(number)])), "\(name)")
    }
    let sorted = Self.oddNames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try tested.names().map { Array($0.utf8) } == sorted.map { Array($0.utf8) })
    for (number, name) in Self.oddNames.enumerated() {
      #expect(try tested.place.read(name) == [UInt8(number)], "\(name)")
      try tested.place.delete(name)
    }
    #expect(try tested.names() == [])
  }

  @Test(arguments: PlaceKind.available)
  func namesThatNoPlaceHasAreRefused(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    let place = tested.place
    let file = try tested.local([1])
    for name in [
      "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\nb", "a\0b", "a\u{7F}",
      String(repeating: "x", count: 256), String(repeating: "xy/", count: 400) + "z",
      ".coffer-partial-00000000", "a/.coffer-partial-x",
    ] {
      #expect(codeThrown { _ = try place.read(name) } == .invalidEntryName, "\(name)")
      #expect(codeThrown { try place.put(name, from: file) } == .invalidEntryName, "\(name)")
      #expect(
        codeThrown { _ = try place.putIfAbsent(name, from: file) } == .invalidEntryName, "\(name)")
      #expect(codeThrown { try place.delete(name) } == .invalidEntryName, "\(name)")
    }
    #expect(try tested.names() == [])
  }

  @Test(arguments: PlaceKind.available)
  func aPrefixIsText(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    for name in ["a/b", "a/bc/d", "a.txt", "ab", "b/a", "b" + "c/x"] { try tested.put(name, [1]) }
    #expect(try tested.names() == ["a.txt", "a/b", "a/bc/d", "ab", "b/a", "bc/x"])
    #expect(try tested.names("a") == ["a.txt", "a/b", "a/bc/d", "ab"])
    #expect(try tested.names("a/") == ["a/b", "a/bc/d"])
    #expect(try tested.names("a/b") == ["a/b", "a/bc/d"])
    #expect(try tested.names("a/bc/") == ["a/bc/d"])
    #expect(try tested.names("b") == ["b/a", "bc/x"])
    #expect(try tested.names("c") == [])
    #expect(try tested.names("a/b/c") == [])
    #expect(try tested.place.find("a/b")?.byteCount == 1)
    #expect(try tested.place.find("a") == nil)
  }

  @Test(arguments: PlaceKind.available)
  func rangesAreCutAtTheEnd(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    let bytes = noise(1000)
    try tested.put("file", bytes)
    try tested.put("empty", [])
    let place = tested.place
    #expect(try place.read("file", range: 0..<1) == [bytes[0]])
    #expect(try place.read("file", range: 100..<300) == Array(bytes[100..<300]))
    #expect(try place.read("file", range: 999..<1000) == [bytes[999]])
    #expect(try place.read("file", range: 990..<2000) == Array(bytes[990...]))
    #expect(try place.read("file", range: 0..<UInt64.max) == bytes)
    #expect(try place.read("file", range: 5..<5) == [])
    #expect(try place.read("file", range: 1000..<1001) == [])
    #expect(try place.read("file", range: (1 << 40)..<(1 << 41)) == [])
    #expect(try place.read("empty", range: 0..<10) == [])
    #expect(codeThrown { _ = try place.read("none", range: 5..<5) } == .notFound)
  }

  @Test(arguments: PlaceKind.available)
  func whatIsThereIsNotCreatedAgain(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    let (one, two) = (try tested.local([1]), try tested.local([2, 2]))
    #expect(try tested.place.putIfAbsent("a/file", from: one))
    #expect(try !tested.place.putIfAbsent("a/file", from: two))
    #expect(try !tested.place.putIfAbsent("a/file", from: one))
    #expect(try tested.place.read("a/file") == [1])
    try tested.place.put("a/file", from: two)
    #expect(try tested.place.read("a/file") == [2, 2])
    try tested.place.delete("a/file")
    #expect(try tested.place.putIfAbsent("a/file", from: one))
    #expect(try tested.names() == ["a/file"])
  }

  @Test(arguments: PlaceKind.available)
  func whatIsGoneIsNotFound(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    let place = tested.place
    #expect(codeThrown { _ = try place.read("a/none") } == .notFound)
    try place.delete("a/none")
    try tested.put("a/file", [1])
    try place.delete("a/file")
    try place.delete("a/file")
    #expect(codeThrown { _ = try place.read("a/file") } == .notFound)
    // A folder is no file.
    try tested.put("folder/file", [1])
    #expect(codeThrown { _ = try place.read("folder") } == .notFound)
    #expect(try tested.names() == ["folder/file"])
  }

  @Test(arguments: PlaceKind.available)
  func aLocalFileThatIsMissingLeavesNothing(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    let path = tested.freePath()
    #expect(codeThrown { try tested.place.put("file", from: path) } == .notFound)
    #expect(codeThrown { _ = try tested.place.putIfAbsent("file", from: path) } == .notFound)
    #expect(try tested.names() == [])
  }

  @Test(arguments: PlaceKind.available)
  func aDownloadIsTheFile(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    let bytes = noise(8 << 20 | 5)
    try tested.put("large", bytes)
    let path = try tested.local([])
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let counts = Mutex<[UInt64]>([])
    let count = try tested.place.download("large", to: handle.fileDescriptor, at: path) { piece in
      counts.withLock { $0.append(piece) }
    }
    #expect(count == UInt64(bytes.count))
    #expect(counts.withLock(\.self) == [8 << 20, 5])
    #expect(FileManager.default.contents(atPath: path).map(Array.init) == bytes)
  }

  @Test(arguments: PlaceKind.available)
  func oneOfManyWritersWins(_ kind: PlaceKind) throws {
    let tested = try TestedPlace(kind)
    for round in 0..<5 {
      let files = try (0..<8).map { try tested.local(noise(1000, seed: UInt64($0 + 1))) }
      let winners = Mutex<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: files.count) { writer in
        do {
          guard try tested.place.putIfAbsent("a/\(round)", from: files[writer]) else { return }
          winners.withLock { $0.append(writer) }
        } catch {
          Issue.record(error)
        }
      }
      let won = winners.withLock(\.self)
      // Behind rclone, nothing creates a file only if there is none.
      #expect(kind == .rclone ? !won.isEmpty : won.count == 1)
      let content = try tested.place.read("a/\(round)")
      #expect(won.contains { noise(1000, seed: UInt64($0 + 1)) == content })
    }
  }
}
