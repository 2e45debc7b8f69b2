internal import CoreDataModel

/// Entries put together from members.
extension SalvageScanner {
  /// Processes the plain bytes of an intact member: the next piece of the open entry, or the
  /// beginning of one.
  func take(_ plain: ArraySlice<UInt8>, at offset: Int, size: Int) throws(CofferError) {
    if let entry = open {
      if continues(entry, plain) { return try add(plain, at: offset, size: size) }
      loseEntry()
      noteBreak("a member is missing")
      noteOrderIsBroken()
    }
    guard let (header, length) = head(of: plain) else {
      noteBreak("there is no tar entry here")
      return noteOrderIsBroken()
    }
    noteOrderIsBack()
    guard found.count <= limits.entryCount else {
      throw .exceeding(
        .entryCount, of: limits, path: path, offset: offset, "the archive has more entries")
    }
    guard header.size <= limits.totalSize - plainTotal else {
      throw .exceeding(
        .totalSize, of: limits, path: path, entry: header.name, offset: offset,
        "the archive has more bytes")
    }
    plainTotal += header.size
    open = OpenEntry(
      header: header, offset: offset, left: header.size,
      padding: TarHeader.padding(after: header.size), keptOffset: content?.end ?? 0)
    if header.name == EntryName.index { open?.indexContent = [] }
    try add(plain.dropFirst(length), at: offset, size: size)
  }

  /// Whether a member can be the next piece of an entry: a full block, or exactly the rest.
  ///
  /// A shorter one that begins like an entry is the next entry, and what came between was lost.
  private func continues(_ entry: OpenEntry, _ plain: ArraySlice<UInt8>) -> Bool {
    let left = entry.left + entry.padding
    let isLast = plain.count == left || entry.header.name == EntryName.index
    if isLast || plain.count == ArchiveLimits.blockSize { return true }
    return plain.count < left && canonicalHead(of: plain) == nil
  }

  /// Adds content to the open entry, and completes it if that was all.
  private func add(_ plain: ArraySlice<UInt8>, at offset: Int, size: Int) throws(CofferError) {
    guard var entry = open else { return }
    let piece = ContiguousArray(plain.prefix(entry.left))
    entry.left -= piece.count
    unsafe piece.withBytes { unsafe entry.hasher.update($0) }
    if entry.indexContent != nil {
      guard entry.header.size <= limits.indexSize else { return loseEntry() }
      entry.indexContent? += piece
    } else if let content {
      try unsafe piece.withBytes { bytes throws(CofferError) in try unsafe content.append(bytes) }
      try checkRatio()
    }
    let zeros = plain.dropFirst(piece.count)
    let trailing = entry.header.name == EntryName.index ? 2 * TarHeader.blockSize : 0
    guard zeros.allSatisfy({ $0 == 0 }), zeros.count <= entry.padding + trailing else {
      loseEntry()
      noteBreak("the content of an entry is longer than its header says")
      return noteOrderIsBroken()
    }
    entry.padding = max(0, entry.padding - zeros.count)
    entry.compressedSize = offset + size - entry.offset
    guard entry.left == 0, entry.padding == 0 else {
      entry.memberCount += 1
      return open = entry
    }
    open = nil
    found.append(whole(entry))
  }

  private func whole(_ entry: OpenEntry) -> SalvagedEntry {
    let place: SalvagedEntry.Place
    if let content {
      place = .kept(content, offset: entry.keptOffset)
    } else {
      place = .archive(input.file, entry.offset..<entry.offset + entry.compressedSize)
    }
    return SalvagedEntry(
      entry: ArchiveIndex.Entry(
        name: entry.header.name, offset: entry.offset, compressedSize: entry.compressedSize,
        size: entry.header.size, digest: entry.hasher.digest,
        attributes: ArchiveEntryAttributes()),
      place: place, isOnePiece: entry.memberCount == 1, indexContent: entry.indexContent)
  }

  /// The stored content of a pipe has the limit of a repacked archive.
  private func checkRatio() throws(CofferError) {
    guard let content, content.end > limits.repackedFreeSize,
      content.end / max(1, limits.repackedRatio) > input.offset
    else { return }
    throw .exceeding(
      .repackedRatio, of: limits, path: path, offset: input.offset,
      "its compression ratio is higher")
  }

  /// The tar header with which a member begins, and its length.
  ///
  /// In an unbroken chain, any header that a reader accepts; after damage, only exactly what a
  /// writer writes, because the member may be a piece of some content.
  private func head(of plain: ArraySlice<UInt8>) -> (TarHeader, Int)? {
    if let head = canonicalHead(of: plain) { return head }
    return isInOrder ? anyHead(of: plain) : nil
  }

  private func canonicalHead(of plain: ArraySlice<UInt8>) -> (TarHeader, Int)? {
    guard let (header, length) = anyHead(of: plain),
      header.encoded.elementsEqual(plain.prefix(length))
    else { return nil }
    return (header, length)
  }

  private func anyHead(of plain: ArraySlice<UInt8>) -> (TarHeader, Int)? {
    var decoder = TarDecoder(limits: limits)
    var rest = plain
    while rest.count >= TarHeader.blockSize {
      guard let step = try? decoder.decode(rest.prefix(TarHeader.blockSize)) else { return nil }
      rest = rest.dropFirst(TarHeader.blockSize)
      switch step {
      case .end: return nil
      case .extended(let size):
        let padded = size + TarHeader.padding(after: size)
        guard rest.count >= padded, (try? decoder.extend(with: rest.prefix(size))) != nil else {
          return nil
        }
        rest = rest.dropFirst(padded)
      case .entry(let header):
        guard header.kind == .file, EntryName.problem(with: header.name) == nil else { return nil }
        return (header, plain.count - rest.count)
      }
    }
    return nil
  }
}
