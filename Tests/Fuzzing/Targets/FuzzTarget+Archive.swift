internal import CoreDataArchive
internal import DataCompression
internal import StoreGenerator

extension FuzzTarget {
  /// The container: original, repacked, entry by entry, and with problems collected.
  static let archive = FuzzTarget(
    "archive", "an archive, read in every way; the ways agree, and what is sound can be rewritten",
    words: ["CF", "CX", "\u{1f}", "*M\u{18}", "index.json", "manifest.json", "ustar"],
    seeds: {
      let small = try ArchiveFixture.small()
      let tar = ArchiveFixture.tar(try ArchiveFixture.entries(of: small))
      return try [
        small, FuzzGzip.stream(tar), ArchiveFixture.split(), ArchiveFixture.small(.zstd),
        FuzzGzip.member(tar, .zstd),
      ]
    },
    change: { bytes, random in
      if random.chance(0.5) {
        try ArchiveMutation.changeMembers(&bytes, &random)
      } else {
        try ArchiveMutation.changeEntries(&bytes, fitting: 0.3, &random)
      }
    }
  ) { input in
    try ArchiveLaws.hold(for: try FuzzFolder.current().write(input))
  }
}
