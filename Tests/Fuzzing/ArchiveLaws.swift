internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import TestSupport

/// What must hold for every file that is read as an archive, however it is read.
enum ArchiveLaws {
  /// The maximum number of bytes of an entry to examine; larger ones are skipped and checked.
  private static let entrySize = 8 << 20

  private struct Reading: Equatable {
    var contents: [String: ContiguousArray<UInt8>] = [:]
    var root: ArchiveDigest?
    var problems = 0
  }

  /// Reads a file in every way.
  ///
  /// - Throws: ``BrokenLaw``; the reader's own error where the file is refused.
  static func hold(for path: String) throws {
    let strict = Result { try read(path, tolerant: false) }
    let tolerant = Result { try read(path, tolerant: true) }
    let random = Result { try readByName(path) }
    for case .failure(let error) in [strict, tolerant, random] where !(error is CofferError) {
      throw error
    }
    switch (strict, tolerant) {
    case (.success(let one), .success(let other)):
      try Fuzzing.hold(one == other, "a sound archive reads otherwise when problems are collected")
    case (.success, .failure(let error)):
      throw BrokenLaw("an archive that is sound is refused when problems are collected: \(error)")
    case (.failure(let error), .success(let reading)):
      try Fuzzing.hold(
        reading.problems > 0, "an archive that is refused has no problem: \(error)")
    case (.failure, .failure): break
    }
    if case .success(let reading) = strict {
      guard case .success(let other) = random else {
        throw BrokenLaw("a sound archive cannot be read entry by entry: \(random)")
      }
      try Fuzzing.hold(other == reading, "entries by name are not those of the whole")
      try holdRewriting(reading)
    }
    _ = try strict.get()
  }

  /// Reads an archive from its first byte to its last.
  private static func read(_ path: String, tolerant: Bool) throws -> Reading {
    let reader = try ArchiveReader(
      .file(path: path), options: ArchiveReaderOptions(threads: 0, collectsProblems: tolerant))
    var reading = Reading()
    while let entry = try reader.next() {
      guard entry.size <= entrySize else {
        try reader.skip()
        continue
      }
      let bytes = try reader.readWhole()
      try Fuzzing.hold(bytes.count == entry.size, "an entry has another size than it says")
      if !entry.isDuplicate { reading.contents[entry.name] = bytes }
    }
    reading.root = reader.index?.rootDigest
    reading.problems = reader.problemCount
    try Fuzzing.hold(
      reader.problems.count == min(reader.problemCount, 10_000), "problems are miscounted")
    if !tolerant {
      try Fuzzing.hold(reading.problems == 0, "problems are noted that should be errors")
      try Fuzzing.hold(reader.index != nil, "an archive without an index was read")
    }
    return reading
  }

  /// Reads the entries of an archive one by one.
  private static func readByName(_ path: String) throws -> Reading {
    let file = try ArchiveFile(path: path, options: ArchiveReaderOptions(threads: 0))
    var reading = Reading()
    for entry in file.index.entries {
      let stream = try file.open(entry.name)
      guard entry.size <= entrySize else { continue }
      var bytes = ContiguousArray<UInt8>()
      try stream.readWhole(into: &bytes)
      reading.contents[entry.name] = bytes
    }
    reading.root = file.index.rootDigest
    return reading
  }

  /// Writes the content as a new archive, whose root digest must be the same.
  private static func holdRewriting(_ reading: Reading) throws {
    guard let nowhere = FileHandle(forWritingAtPath: "/dev/null") else { return }
    let writer = try ArchiveWriter(
      to: .descriptor(nowhere.fileDescriptor), options: ArchiveWriterOptions(level: 0, threads: 0))
    for (name, bytes) in reading.contents.sorted(by: { $0.key < $1.key }) {
      try writer.add(name: name, bytes: bytes)
    }
    let index = try writer.finish()
    try Fuzzing.hold(
      index.rootDigest == reading.root || reading.contents.count != index.entries.count,
      "an archive that is written again has another root digest")
  }
}
