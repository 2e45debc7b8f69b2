internal import CoreDataModel
internal import DeflateCoding

/// Finds the intact entries of a damaged repacked archive.
///
/// Its single gzip stream is inflated as far as possible, and the tar in it is read from header to
/// header. After anything that is not a header, the search continues at the next place with a valid
/// header checksum.
///
/// Such a stream has a single checksum, at its end. So only the digest in the index shows that an
/// entry is intact; without an index, only entries of a merely truncated stream count.
struct RepackedSalvage {
  let content: SalvagedContent
  let path: String
  private let limits: ArchiveLimits
  private(set) var report = SalvageReport()
  /// Whether the stream contradicts itself, rather than to end early.
  private(set) var isDamaged = false

  /// Inflates what can be inflated.
  ///
  /// - Throws: `archive-limit`, `read-failed`, `write-failed`.
  init(
    _ input: ArchiveInput, folder: String, limits: ArchiveLimits
  ) throws(CofferError) {
    self.limits = limits
    content = try SalvagedContent(folder: folder, isSealed: input.isDecrypted)
    path = input.file.path
    try inflate(input)
  }

  private mutating func inflate(_ input: ArchiveInput) throws(CofferError) {
    guard var inflater = try? StreamInflater() else {
      throw CofferError(
        .readFailed, path: path, detail: "there is not enough memory to inflate")
    }
    var compressed = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
    var room = ContiguousArray<UInt8>(repeating: 0, count: 256 << 10)
    while true {
      let offset = input.offset
      var count = 0
      do throws(CofferError) {
        count = try unsafe compressed.withMutableBytes { room throws(CofferError) in
          try unsafe input.read(into: room)
        }
      } catch {
        guard error.isArchiveDamage else { throw error }
        report.note(content.end, error.detail)
        count = input.offset - offset
      }
      if count == 0 { break }
      var start = 0
      while start < count {
        let step: StreamInflater.Step? = unsafe compressed.withBytes { bytes in
          unsafe room.withMutableBytes { room in
            try? unsafe inflater.inflate(
              UnsafeRawBufferPointer(rebasing: bytes[start..<count]), into: room)
          }
        }
        guard let step else {
          isDamaged = true
          let count = inflater.producedBeforeDamage
          try unsafe room.withBytes { bytes throws(CofferError) in
            try unsafe content.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
          }
          return report.note(content.end, "the gzip stream is damaged")
        }
        start += step.consumed
        try unsafe room.withBytes { bytes throws(CofferError) in
          try unsafe content.append(UnsafeRawBufferPointer(rebasing: bytes[..<step.produced]))
        }
        guard
          content.end <= limits.repackedFreeSize
            || content.end / max(1, limits.repackedRatio) <= input.offset
        else {
          throw .exceeding(
            .repackedRatio, of: limits, path: path, offset: input.offset,
            "it becomes more times larger when it is unpacked")
        }
        if step.consumed == 0, step.produced == 0 { break }
      }
    }
    if !inflater.isBetweenMembers { report.note(content.end, "the gzip stream is cut off") }
  }
}
