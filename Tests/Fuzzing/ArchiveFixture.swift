internal import CoreDataArchive
internal import DataCompression
internal import Foundation
internal import TestSupport

/// Archives and tars made of a few entries.
enum ArchiveFixture {
  /// An archive of three entries, one of them empty, none of them what it should be.
  static func small(_ compression: ArchiveCompression = .gzip) throws -> [UInt8] {
    try archive(
      compression,
      [
        ("manifest.json", Array("{\"format\":\"coffer\"}\n".utf8)),
        ("entities/A/00000.ndjson", Array("{\"$pk\":1,\"$opt\":1}\n".utf8)),
        ("external/empty", []),
      ])
  }

  /// An archive of an entry whose content goes on in a second member.
  static func split() throws -> [UInt8] {
    let bytes = try small()
    let members = FuzzGzip.members(of: bytes)
    let index = try ArchiveFile(path: try FuzzFolder.current().write(bytes)).index
    guard members.count == index.entries.count + 2, let first = index.entries.first else {
      throw BrokenLaw("an entry is not one member")
    }
    let plain = try FuzzGzip.plain(members[0])
    let cut = TarHeader.blockSize + 7
    let parts = try [plain[..<cut], plain[cut...]].map { try FuzzGzip.member(Array($0)) }
    let shift = parts[0].count + parts[1].count - first.compressedSize
    var entries = index.entries
    entries[0].compressedSize += shift
    for position in entries.indices.dropFirst() { entries[position].offset += shift }
    let json = Array(ArchiveIndex.encode(entries, index.digests))
    var last = Array(TarHeader(name: "index.json", size: json.count).encoded) + json
    last += [UInt8](
      repeating: 0, count: TarHeader.padding(after: json.count) + 2 * TarHeader.blockSize)
    let head = Array((parts + members[1..<index.entries.count]).joined())
    return head + (try FuzzGzip.member(last))
      + Array(MemberFormat.gzip.footer(indexOffset: UInt64(head.count)))
  }

  private static func archive(
    _ compression: ArchiveCompression, _ entries: [(name: String, bytes: [UInt8])]
  ) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let path = folder.file("a")
    let writer = try ArchiveWriter(
      to: .file(path: path),
      options: ArchiveWriterOptions(compression: compression, level: 1, threads: 0))
    for entry in entries {
      try writer.add(name: entry.name, bytes: ContiguousArray(entry.bytes))
    }
    _ = try writer.finish()
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// All entries of an archive, index.json the last.
  static func entries(of archive: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
    let folder = try TemporaryDirectory()
    let file = try ArchiveFile(path: try folder.write(archive, to: "a"))
    return try file.index.entries.map { ($0.name, Array(try file.read($0.name))) }
      + [("index.json", Array(file.index.encoded))]
  }

  /// A tar with its end mark.
  static func tar(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var tar = HandMadeTar()
    for entry in entries { tar.entry(entry.name, entry.bytes) }
    tar.end()
    return Array(tar.bytes)
  }
}
