internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

/// A folder that is removed with the object.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = "\(NSTemporaryDirectory())/coffer-container-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder, hidden ones too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// Reads a file.
func contents(of path: String) throws -> ContiguousArray<UInt8> {
  ContiguousArray(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Writes a file.
func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Runs a shell command and returns its output; a failure of the command fails the test.
@discardableResult
func shell(_ command: String, in folder: ScratchFolder) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", command]
  process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "failed: \(command)")
  return String(decoding: data, as: UTF8.self)
}

/// A generator whose values a seed decides (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// Bytes that look like lines of text and compress somewhat; they repeat after 256 KiB.
  mutating func text(_ count: Int) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    while bytes.count < min(count, 256 << 10) {
      bytes += "{\"$pk\":\(bytes.count),\"name\":\"\(next() % 100_000)\"}\n".utf8
    }
    return Self.repeated(bytes, count)
  }

  /// Bytes that do not compress: they repeat only after 64 KiB, too far for deflate to see.
  mutating func noise(_ count: Int) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    for _ in 0..<min(count, 64 << 10) { bytes.append(UInt8(truncatingIfNeeded: next())) }
    return Self.repeated(bytes, count)
  }

  private static func repeated(
    _ bytes: ContiguousArray<UInt8>, _ count: Int
  ) -> ContiguousArray<UInt8> {
    var all = ContiguousArray<UInt8>()
    all.reserveCapacity(count + bytes.count)
    while all.count < count { all += bytes }
    all.removeLast(all.count - count)
    return all
  }
}

/// An entry of a test archive.
struct TestEntry: Equatable {
  var name: String
  var bytes: ContiguousArray<UInt8>

  init(_ name: String, _ bytes: ContiguousArray<UInt8>) {
    self.name = name
    self.bytes = bytes
  }

  init(_ name: String, _ text: String) { self.init(name, ContiguousArray(text.utf8)) }
}

/// The entries of a small archive.
let smallEntries = [
  TestEntry("manifest.json", "{\"format\":\"coffer\"}\n"),
  TestEntry("entities/Person/00000.ndjson", "{\"$pk\":1,\"$opt\":1}\n"),
  TestEntry("external/empty", ""),
]

/// Writes an archive and returns its index.
@discardableResult
func writeArchive(
  _ entries: [TestEntry], to path: String, _ compression: ArchiveCompression = .gzip,
  level: Int? = nil, threads: Int = 0
) throws -> ArchiveIndex {
  let writer = try ArchiveWriter(
    to: .file(path: path),
    options: ArchiveWriterOptions(compression: compression, level: level, threads: threads))
  for entry in entries { try writer.add(name: entry.name, bytes: entry.bytes) }
  return try writer.finish()
}

/// Reads every entry of an archive to the end.
func readArchive(
  _ path: String, threads: Int = 0
) throws -> (entries: [TestEntry], index: ArchiveIndex?, isRepacked: Bool) {
  let reader = try ArchiveReader(
    .file(path: path), options: ArchiveReaderOptions(threads: threads))
  var entries: [TestEntry] = []
  while let header = try reader.next() {
    let bytes = try reader.readWhole(limit: .textSize)
    #expect(bytes.count == header.size)
    entries.append(TestEntry(header.name, bytes))
  }
  return (entries, reader.index, reader.isRepacked)
}

/// The error of reading an archive to the end, or nil.
func readingError(_ path: String, threads: Int = 0) -> CofferError? {
  do {
    let reader = try ArchiveReader(
      .file(path: path), options: ArchiveReaderOptions(threads: threads))
    while try reader.next() != nil { try reader.skip() }
    return nil
  } catch {
    return error
  }
}

/// The error of opening an archive and reading every entry by name, or nil.
func randomAccessError(_ path: String) -> CofferError? {
  do {
    let file = try ArchiveFile(path: path, options: ArchiveReaderOptions(threads: 0))
    for entry in file.index.entries { _ = try file.read(entry.name, limit: .textSize) }
    return nil
  } catch {
    return error
  }
}
