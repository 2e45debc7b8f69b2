internal import CoreDataModel
internal import Crypto

/// The content of one entry on its way to the reader, with its digest so far.
final class EntryCursor {
  /// The place of the bytes.
  private enum Origin {
    case members(MemberReader)
    case spool(ArchiveSpool, offset: Int)
    /// Plain bytes in a file.
    case file(ArchiveInput)
  }

  /// The name of the entry; for one taken from another archive, the name of the entry it replaces.
  var name: String
  let size: Int
  /// The offset of the entry's first member, 0 in a repacked archive.
  let offset: Int
  /// Whether an earlier entry has the same name.
  var isDuplicate = false
  /// The count of bytes that were not consumed.
  private(set) var left: Int
  private var origin: Origin
  private var hash = SHA256()
  /// The digest of the content, if it was read without hashing it.
  private(set) var pending: PendingDigest?
  private var isHashed = true
  /// Whether the padding after the content was consumed with it.
  private var isPaddingTaken = false

  init(_ spool: ArchiveSpool, _ item: ArchiveSpool.Item) {
    name = item.name
    size = item.size
    offset = 0
    isDuplicate = item.isDuplicate
    left = size
    origin = .spool(spool, offset: item.offset)
  }

  /// Content in a file as plain bytes.
  init(keptIn file: OpenFile, name: String, size: Int, offset start: Int) {
    self.name = name
    self.size = size
    offset = 0
    left = size
    origin = .file(ArchiveInput(file, range: start..<start + size))
  }

  private init(_ members: MemberReader, _ header: TarHeader) {
    name = header.name
    size = header.size
    offset = members.offset
    left = size
    origin = .members(members)
  }

  /// Advances to the next entry, whose header starts the next member; returns nil after the last member.
  static func next(in members: MemberReader) throws(CofferError) -> EntryCursor? {
    guard try members.advance() else { return nil }
    var decoder = TarDecoder(limits: members.limits)
    var name: String?
    do throws(TarDecoder.Problem) {
      while true {
        guard let block = members.block(TarHeader.blockSize) else {
          throw TarDecoder.Problem(text: "a member ends inside a tar header")
        }
        switch try decoder.decode(block[...]) {
        case .end: throw TarDecoder.Problem(text: "the tar file ends before index.json")
        case .extended(let size):
          let padded = size + TarHeader.padding(after: size)
          guard let content = members.block(padded) else {
            throw TarDecoder.Problem(text: "a member ends inside a pax header")
          }
          try decoder.extend(with: content[..<size])
        case .entry(let header):
          name = header.name
          guard header.kind == .file else {
            throw TarDecoder.Problem(text: "the archive contains a folder")
          }
          if let problem = EntryName.problem(with: header.name) {
            throw TarDecoder.Problem(text: problem)
          }
          return EntryCursor(members, header)
        }
      }
    } catch {
      guard let limit = error.limit else { throw members.damaged(error.text, entry: name) }
      throw CofferError.exceeding(
        limit, of: members.limits, path: members.path, offset: members.offset, error.text)
    }
  }

  /// Passes the next bytes of the content, at least one and at most a given number, and consumes
  /// them.
  ///
  /// - Returns: the count of bytes; 0 only at the end of the content.
  func consume(
    atMost count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(CofferError) -> Int {
    let wanted = min(count, left)
    guard wanted > 0 else { return 0 }
    let got: Int
    switch origin {
    case .members(let members):
      if members.plainLeft == 0 { try advance(members) }
      got = unsafe members.consume(atMost: wanted) { bytes in
        if isHashed { unsafe hash.update(bufferPointer: bytes) }
        unsafe body(bytes)
      }
    case .spool(let spool, let offset):
      got = try unsafe spool.read(at: offset + size - left, count: wanted) { bytes in
        unsafe hash.update(bufferPointer: bytes)
        unsafe body(bytes)
      }
    case .file(let input):
      var buffer = ContiguousArray<UInt8>(repeating: 0, count: min(wanted, 256 << 10))
      got = try unsafe buffer.withMutableBytes { target throws(CofferError) in
        try unsafe input.read(into: target)
      }
      guard got == buffer.count else {
        throw CofferError(.readFailed, entry: name, detail: "the temporary file was truncated")
      }
      unsafe buffer.withBytes { bytes in
        unsafe hash.update(bufferPointer: bytes)
        unsafe body(bytes)
      }
    }
    left -= got
    return got
  }

  /// Skips the rest of the content, checks the zero bytes after it, and returns the properties of the entry so
  /// far, without its attributes.
  func finish(trailing: Int = 0) throws(CofferError) -> ArchiveIndex.Entry {
    while left > 0 { _ = try unsafe consume(atMost: left) { _ in } }
    var compressedSize = 0
    if case .members(let members) = origin {
      let padding = isPaddingTaken ? 0 : TarHeader.padding(after: size)
      try skipZeros(padding + trailing, in: members)
      guard members.plainLeft == 0 else {
        throw members.damaged("there is data after the entry in its member", entry: name)
      }
      compressedSize = members.offset + members.size - offset
    }
    return ArchiveIndex.Entry(
      name: name, offset: offset, compressedSize: compressedSize, size: size,
      digest: ArchiveDigest(hash), attributes: ArchiveEntryAttributes())
  }

  private func advance(_ members: MemberReader) throws(CofferError) {
    do {
      if try members.advance() { return }
    } catch {
      var error = error
      error.place.entry = name
      throw error
    }
    throw members.damaged("the footer is inside an entry", entry: name)
  }

  private func skipZeros(_ count: Int, in members: MemberReader) throws(CofferError) {
    var count = count
    while count > 0 {
      if members.plainLeft == 0 { try advance(members) }
      var areZero = true
      count -= unsafe members.consume(atMost: count) { bytes in
        areZero = unsafe bytes.allSatisfy { $0 == 0 }
      }
      guard areZero else { throw members.damaged("the padding is not zero", entry: name) }
    }
  }
}

extension EntryCursor {
  /// Reads the rest of the content.
  ///
  /// Its full size is reserved at once, so that growth copies nothing; memory is only used as bytes arrive.
  ///
  /// - Throws: `archive-limit` for more bytes than the limit.
  func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name, of limits: ArchiveLimits,
    path: String
  ) throws(CofferError) {
    try requireWithin(limit, of: limits, path: path)
    bytes.reserveCapacity(bytes.count + min(left, ArchiveLimits.reservedRoom))
    while left > 0 {
      _ = try unsafe consume(atMost: left) { unsafe bytes.append(contentsOf: $0) }
    }
  }

  /// Reads the whole content; the first access to its digest computes it.
  ///
  /// - Returns: the digest; nil if it is computed here, because the content has been read in part or does not
  ///   come from members.
  func readUnhashed(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name, of limits: ArchiveLimits,
    path: String
  ) throws(CofferError) -> PendingDigest? {
    if case .members(let members) = origin, left == size {
      isHashed = false
      try requireWithin(limit, of: limits, path: path)
      if size > 0, members.plainLeft == 0 { try advance(members) }
      isPaddingTaken = members.takeAll(size, andZeros: TarHeader.padding(after: size), into: &bytes)
      if isPaddingTaken { left = 0 }
    }
    if !isPaddingTaken {
      bytes.removeAll(keepingCapacity: true)
      try readWhole(into: &bytes, limit: limit, of: limits, path: path)
    }
    if !isHashed { pending = PendingDigest(of: bytes) }
    return pending
  }

  /// Checks that the rest of the content is within a limit; throws `archive-limit` if it is not.
  func requireWithin(
    _ limit: ArchiveLimits.Name, of limits: ArchiveLimits, path: String
  ) throws(CofferError) {
    guard left > limits[limit] else { return }
    throw CofferError.exceeding(
      limit, of: limits, path: path, entry: name, offset: offset, "it has \(left) bytes, more")
  }
}
