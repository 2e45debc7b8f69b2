package import CoreDataModel
internal import Crypto
internal import DataCompression

/// Writes an archive strictly forward: entry after entry, then the index and the footer.
///
/// Every entry begins a member; a member holds up to 1 MiB of content, and the tar header and the
/// padding with it. Members are compressed on other threads and written in order, so the bytes are the same for
/// any number of threads. Memory: for each thread and two more, a block and its compressed form.
///
/// If the options encrypt, no plain byte reaches a file.
///
/// After an error every further call throws it again. A file that was not finished is removed, at the latest
/// when the writer is gone.
///
///     let writer = try ArchiveWriter(to: .file(path: "Trips.coffer.tar.gz"))
///     try writer.add(name: "manifest.json", bytes: manifest)
///     let index = try writer.finish()
package final class ArchiveWriter {
  /// How the archive is written.
  package let options: ArchiveWriterOptions
  private let output: ArchiveOutput
  private let format: MemberFormat
  private var work: OrderedWork<CompressionWork>
  private var entries: [ArchiveIndex.Entry] = []
  private var names: Set<ExactString> = []
  private var current: Current?
  private var failure: CofferError?
  private var isFinished = false

  /// The entry that is being written.
  private struct Current {
    var name: String
    /// Its number in the index, nil for the index itself.
    var number: Int?
    var size: Int
    /// The count of bytes of content that are still to come.
    var left: Int
    /// The room for content in the block that is being filled.
    var room = ArchiveLimits.blockSize
    var hash = SHA256()
  }

  /// Opens the destination.
  ///
  /// - Throws: `output-exists` for an existing file that may not be overwritten, `write-failed`;
  ///   `unsupported-compression`; `unsupported-encryption` if there is not enough memory for a passphrase.
  package init(
    to destination: ArchiveDestination, options: ArchiveWriterOptions = ArchiveWriterOptions()
  ) throws(CofferError) {
    let threads = max(0, options.threads)
    do {
      work = try OrderedWork(threads: threads, slots: threads == 0 ? 1 : threads + 2) {
        () throws(CompressionError) in
        try CompressionWork(options.compression.format, level: options.level)
      }
    } catch {
      throw CofferError(error, .writeFailed, path: destination.path)
    }
    self.options = options
    format = options.compression.format
    output = try ArchiveOutput(destination, encryption: options.encryption)
  }

  /// The path of the incomplete file, for a handler of signals to remove; nil for a pipe and after the end.
  package var partialPath: String? { output.partialPath }
  /// The limits that an archive with so many small files exceeds, each with the value that its readers
  /// need; empty until the end, and for nearly all archives.
  package private(set) var raisedLimits: [ArchiveLimits.Name: Int] = [:]
  /// The number of bytes written so far.
  package var byteCount: Int { output.byteCount }
  /// The plain size of the entries begun so far.
  package private(set) var plainByteCount = 0

  /// Adds a complete entry.
  ///
  /// - Throws: as ``beginEntry(name:size:attributes:)`` and ``write(_:)``.
  package func add(
    name: String, bytes: UnsafeRawBufferPointer,
    attributes: ArchiveEntryAttributes = ArchiveEntryAttributes()
  ) throws(CofferError) {
    try beginEntry(name: name, size: bytes.count, attributes: attributes)
    try unsafe write(bytes)
    try endEntry()
  }

  /// Adds a complete entry.
  ///
  /// - Throws: as ``beginEntry(name:size:attributes:)`` and ``write(_:)``.
  package func add(
    name: String, bytes: ContiguousArray<UInt8>,
    attributes: ArchiveEntryAttributes = ArchiveEntryAttributes()
  ) throws(CofferError) {
    try unsafe bytes.withBytes { bytes throws(CofferError) in
      try unsafe add(name: name, bytes: bytes, attributes: attributes)
    }
  }

  /// Begins an entry whose content is given in pieces.
  ///
  /// - Parameters:
  ///   - name: a relative path without `.` and `..`, at most 1,024 bytes.
  ///   - size: the size of the content in bytes.
  ///   - attributes: the properties of the entry in the index.
  /// - Throws: `invalid-entry-name` for a name that cannot be one or was used before, `archive-limit`.
  package func beginEntry(
    name: String, size: Int, attributes: ArchiveEntryAttributes = ArchiveEntryAttributes()
  ) throws(CofferError) {
    try attempt { () throws(CofferError) in
      try list(name, size, attributes)
      begin(name: name, number: entries.count - 1, size: size)
    }
  }

  /// Begins an entry of a part.
  ///
  /// - Throws: as ``beginEntry(name:size:attributes:)``.
  package func beginEntry(
    _ name: NumberedEntryName, size: Int, attributes: ArchiveEntryAttributes
  ) throws(CofferError) {
    try beginEntry(name: name.text, size: size, attributes: attributes)
    if name.hasHeaderApart { try attempt { () throws(CofferError) in try submit() } }
  }

  /// Adds entries, or pieces of them, that were compressed elsewhere.
  ///
  /// - Throws: as ``beginEntry(name:size:attributes:)`` and ``write(_:)``.
  package func append(_ compressed: borrowing CompressedEntries) throws(CofferError) {
    try attempt { () throws(CofferError) in
      while work.inFlight > 0 { try writeOldest() }
      var position = 0
      for (offset, event) in compressed.events {
        try write(compressed.members, position..<offset)
        position = offset
        switch event {
        case .begin(let name, let size, let attributes):
          try list(name.text, size, attributes)
          entries[entries.count - 1].offset = output.offset
          if name.hasHeaderApart { try writeHeader(TarHeader(name: name.text, size: size)) }
        case .end(let digest): entries[entries.count - 1].digest = digest
        }
      }
      try write(compressed.members, position..<compressed.members.count)
    }
  }

  /// Writes the next bytes of the entry that was begun.
  ///
  /// - Parameter bytes: any number of bytes, borrowed for the call.
  /// - Throws: `write-failed`, `output-closed`; `write-failed` also for more bytes than the entry's size.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    try attempt { () throws(CofferError) in try unsafe append(bytes) }
  }

  /// Writes the next bytes of the entry that was begun.
  ///
  /// - Throws: the same errors as for borrowed bytes.
  package func write(_ bytes: ContiguousArray<UInt8>) throws(CofferError) {
    try unsafe bytes.withBytes { bytes throws(CofferError) in try unsafe write(bytes) }
  }

  /// Ends the entry that was begun.
  ///
  /// - Throws: as ``write(_:)``; `write-failed` also for fewer bytes than the entry's size.
  package func endEntry() throws(CofferError) {
    try attempt { () throws(CofferError) in
      entries[entries.count - 1].digest = try end(trailing: 0)
    }
  }

  /// Writes the index and the footer, and gives the file its name.
  ///
  /// - Returns: the index, with the root digest.
  /// - Throws: `output-exists` where a file of that name appeared meanwhile, `write-failed`, `output-closed`.
  package func finish() throws(CofferError) -> ArchiveIndex {
    precondition(current == nil, "an entry was not ended")
    var result: ArchiveIndex?
    try attempt { () throws(CofferError) in
      while work.inFlight > 0 { try writeOldest() }
      guard let index = ArchiveIndex(entries: entries) else {
        preconditionFailure("two entries have the same name")
      }
      result = index
      try writeEnd(index)
      try output.commit()
    }
    isFinished = true
    guard let result else { preconditionFailure("no index without an error") }
    return result
  }

  /// Gives up and removes the incomplete file.
  ///
  /// Nothing happens after ``finish()``.
  package func abandon() {
    if failure == nil { failure = error(.writeFailed, nil, "the archive was abandoned") }
    output.abandon()
  }
}

extension ArchiveWriter {
  /// Runs one step unless an earlier one failed; the first error ends everything.
  private func attempt(_ step: () throws(CofferError) -> Void) throws(CofferError) {
    precondition(!isFinished, "the archive is finished")
    if let failure { throw failure }
    do {
      try step()
    } catch {
      failure = error
      output.abandon()
      throw error
    }
  }

  private func error(
    _ code: CofferError.Code, _ entry: String?, _ detail: String
  ) -> CofferError {
    CofferError(code, path: output.path, entry: entry, detail: detail)
  }

  /// Lists an entry in the index.
  private func list(
    _ name: String, _ size: Int, _ attributes: ArchiveEntryAttributes
  ) throws(CofferError) {
    if let problem = EntryName.problem(with: name) { throw error(.invalidEntryName, name, problem) }
    if name == EntryName.index { throw error(.invalidEntryName, name, "the name is reserved") }
    guard names.insert(name).inserted else {
      throw error(.invalidEntryName, name, "an entry with this name already exists")
    }
    let most = ArchiveLimits.standard.entryCount
    guard entries.count < most, size <= ArchiveLimits.fileSize else {
      throw error(.archiveLimit, name, "there are too many entries, or an entry is too large")
    }
    plainByteCount += size
    entries.append(
      ArchiveIndex.Entry(
        name: name, offset: 0, compressedSize: 0, size: size, digest: ArchiveDigest(SHA256()),
        attributes: attributes))
  }

  /// Writes a header as a member of the entry that was listed last.
  private func writeHeader(_ header: TarHeader) throws(CofferError) {
    let output = output
    let count = try work.withFree { work throws(CofferError) in
      work.plain += header.encoded
      work.run()
      if let failure = work.failure {
        throw CofferError(failure, .writeFailed, path: output.path)
      }
      try unsafe work.member.withBytes { bytes throws(CofferError) in
        try unsafe output.write(bytes)
      }
      return work.member.count
    }
    entries[entries.count - 1].compressedSize += count
  }

  /// Writes members of the entry that was listed last.
  private func write(
    _ members: ContiguousArray<UInt8>, _ range: Range<Int>
  ) throws(CofferError) {
    if range.isEmpty { return }
    let output = output
    try unsafe members.withBytes { bytes throws(CofferError) in
      try unsafe output.write(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    entries[entries.count - 1].compressedSize += range.count
  }

  private func begin(name: String, number: Int?, size: Int) {
    precondition(current == nil, "the entry before was not ended")
    precondition(size >= 0, "a negative size")
    current = Current(name: name, number: number, size: size, left: size)
    let header = TarHeader(name: name, size: size).encoded
    work.withFree { $0.plain += header }
  }

  private func append(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    guard let left = current?.left else { preconditionFailure("no entry was begun") }
    guard bytes.count <= left else {
      throw error(
        .writeFailed, current?.name, "it is larger than expected; it may still be growing")
    }
    unsafe current?.hash.update(bufferPointer: bytes)
    var start = 0
    while start < bytes.count {
      var room = current?.room ?? 0
      if room == 0 {
        try submit()
        room = ArchiveLimits.blockSize
      }
      let count = min(room, bytes.count - start)
      work.withFree { unsafe $0.plain.append(contentsOf: bytes[start..<start + count]) }
      current?.room = room - count
      start += count
    }
    current?.left = left - bytes.count
  }

  /// Ends the current entry with its padding and some zero bytes more, and returns the content's digest.
  @discardableResult
  private func end(trailing: Int) throws(CofferError) -> ArchiveDigest {
    guard let entry = current else { preconditionFailure("no entry was begun") }
    guard entry.left == 0 else {
      throw error(.writeFailed, entry.name, "it is smaller than expected")
    }
    let zeros = TarHeader.padding(after: entry.size) + trailing
    let isEmpty = work.withFree { work in
      work.plain.append(contentsOf: repeatElement(0, count: zeros))
      return work.plain.isEmpty
    }
    // An entry without content, whose header is a member of its own, needs no second one.
    if !isEmpty { try submit() }
    current = nil
    return ArchiveDigest(entry.hash)
  }

  /// Starts the compression of the block that was filled, and makes room for the next.
  private func submit() throws(CofferError) {
    let number = current?.number
    work.withFree { $0.entry = number }
    work.submit()
    if work.isFull { try writeOldest() }
  }

  /// Waits for the member that was submitted first and writes it.
  private func writeOldest() throws(CofferError) {
    let offset = output.offset
    let output = output
    let number = try work.withOldest { work throws(CofferError) in
      if let failure = work.failure {
        throw CofferError(failure, .writeFailed, path: output.path)
      }
      try unsafe work.member.withBytes { bytes throws(CofferError) in
        try unsafe output.write(bytes)
      }
      return work.entry
    }
    work.releaseOldest()
    guard let number else { return }
    if entries[number].compressedSize == 0 { entries[number].offset = offset }
    entries[number].compressedSize += output.offset - offset
  }

  /// Writes the index, the end of the tar and the footer.
  private func writeEnd(_ index: ArchiveIndex) throws(CofferError) {
    let offset = UInt64(output.offset)
    let json = index.encoded
    guard json.count <= ArchiveLimits.standard.indexSize else {
      throw error(.archiveLimit, EntryName.index, "the index is too large")
    }
    raisedLimits = index.raisedLimits(size: json.count, at: output.offset)
    begin(name: EntryName.index, number: nil, size: json.count)
    try unsafe json.withBytes { bytes throws(CofferError) in try unsafe append(bytes) }
    try end(trailing: 2 * TarHeader.blockSize)
    while work.inFlight > 0 { try writeOldest() }
    let footer = format.footer(indexOffset: offset)
    try unsafe footer.withBytes { bytes throws(CofferError) in try unsafe output.write(bytes) }
  }
}
