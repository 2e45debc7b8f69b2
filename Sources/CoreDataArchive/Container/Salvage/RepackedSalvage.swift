internal import CoreDataModel
internal import DeflateCoding

/// Finds the whole entries of a repacked archive that is damaged.
///
/// Its one gzip stream is inflated as far as it can be, and the tar in it read from header to header;
/// behind something that is none, the next place is looked for where a header's checksum fits.
///
/// Such a stream has one checksum, at its end. So an entry is known to be whole only by the digest of the index;
/// where there is none, only what came of a stream that was merely cut off counts.
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
