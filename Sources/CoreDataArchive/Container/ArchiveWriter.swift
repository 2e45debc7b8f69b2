package import CoreDataModel

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
  /// The options for writing the archive.
  package let options: ArchiveWriterOptions
  private var members: MemberWriter
  private var entries: EntryList
  private var current: Current?
  /// The memory for pieces of compressed entries.
  private var copied: ContiguousArray<UInt8> = []
  private var failure: CofferError?
  private var isFinished = false

  /// The entry that is being written.
  private struct Current {
    var name: String
    /// Its number in the index, nil for the index itself.
    var number: Int?
    var blocks: EntryBlocks
  }

  /// Opens the destination.
  ///
  /// - Throws: `output-exists` for an existing file that may not be overwritten, `write-failed`;
  ///   `unsupported-compression`; `unsupported-encryption` if there is not enough memory for a passphrase.
  package init(
    to destination: ArchiveDestination, options: ArchiveWriterOptions = ArchiveWriterOptions()
  ) throws(CofferError) {
    var options = options
    options.isWritten = destination != .nowhere
    self.options = options
    members = try MemberWriter(to: destination, options)
    entries = EntryList(path: members.output.path)
  }

  /// The path of the incomplete file, for a handler of signals to remove; nil for a pipe and after the end.
  package var partialPath: String? { members.output.partialPath }
  /// The limits that an archive with too many small files exceeds, each with the value that its readers
  /// need; empty until the end, and for nearly all archives.
  package private(set) var raisedLimits: [ArchiveLimits.Name: Int] = [:]
  /// The number of bytes written so far.
  package var byteCount: Int { members.output.byteCount }
  /// The plain size of the entries started so far.
  package var plainByteCount: Int { entries.plainByteCount }

  /// Adds a complete entry.
  package func add(
    name: String, bytes: UnsafeRawBufferPointer,
    attributes: ArchiveEntryAttributes = ArchiveEntryAttributes()
  ) throws(CofferError) {
    try beginEntry(name: name, size: bytes.count, attributes: attributes)
    try unsafe write(bytes)
    try endEntry()
  }

  /// Adds a complete entry.
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
      try entries.list(name, size, attributes)
      begin(name: name, number: entries.last, size: size)
    }
  }

  /// Begins an entry of a part.
  package func beginEntry(
    _ name: NumberedEntryName, size: Int, attributes: ArchiveEntryAttributes
  ) throws(CofferError) {
    try beginEntry(name: name.text, size: size, attributes: attributes)
    if name.hasHeaderApart { try attempt { () throws(CofferError) in try submit() } }
  }

  /// Lists an entry without its content, in an archive that is not written.
  package func list(name: String, size: Int, _ digest: ArchiveDigest) throws(CofferError) {
    try attempt { () throws(CofferError) in
      try members.flush(&entries)
      try entries.list(name, size, ArchiveEntryAttributes())
      entries.end(digest)
    }
  }

  /// Adds entries, or pieces of them, that were compressed elsewhere.
  package func append(_ compressed: borrowing CompressedEntries) throws(CofferError) {
    try attempt { () throws(CofferError) in
      try members.flush(&entries)
      var position = 0
      for (offset, event) in compressed.events {
        let written = try members.write(compressed.members, position..<offset)
        if written.size > 0 { entries.note(written, of: entries.last) }
        position = offset
        switch event {
        case .begin(let name, let size, let attributes):
          try entries.list(name.text, size, attributes)
          if name.hasHeaderApart {
            members.fill(with: TarHeader(name: name.text, size: size).encoded)
            entries.note(try members.writeBlock(), of: entries.last)
          }
        case .end(let digest): entries.end(digest)
        }
      }
      let rest = try members.write(compressed.members, position..<compressed.members.count)
      if rest.size > 0 { entries.note(rest, of: entries.last) }
    }
  }

  /// Adds an entry in the compressed form of another archive.
  ///
  /// If the other archive was written with the same options, its bytes are the bytes that this archive would
  /// have for the entry.
  ///
  /// - Returns: false, without a change, if its members would be other ones here.
  /// - Throws: as ``beginEntry(name:size:attributes:)`` and ``write(_:)``; errors from reading.
  package func add(
    _ compressed: CompressedEntry, as name: String, isHeaderApart: Bool,
    attributes: ArchiveEntryAttributes
  ) throws(CofferError) -> Bool {
    let entry = compressed.entry
    guard compressed.format == options.compression.format,
      compressed.isHeaderApart == isHeaderApart, isHeaderApart || name == entry.name
    else { return false }
    try attempt { () throws(CofferError) in
      try members.flush(&entries)
      try entries.list(name, entry.size, attributes)
      if isHeaderApart {
        members.fill(with: TarHeader(name: name, size: entry.size).encoded)
        entries.note(try members.writeBlock(), of: entries.last)
      }
      try compressed.readMembers(through: &copied) { piece, range throws(CofferError) in
        entries.note(try members.write(piece, range), of: entries.last)
      }
      entries.end(entry.digest)
    }
    return true
  }

  /// Writes the next bytes of the entry that was started.
  ///
  /// - Throws: `write-failed`, `output-closed`; `write-failed` also for more bytes than the entry's size.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    try attempt { () throws(CofferError) in try unsafe append(bytes) }
  }

  /// Writes the next bytes of the entry that was started.
  ///
  /// - Throws: the same errors as for borrowed bytes.
  package func write(_ bytes: ContiguousArray<UInt8>) throws(CofferError) {
    try unsafe bytes.withBytes { bytes throws(CofferError) in try unsafe write(bytes) }
  }

  /// Ends the entry that was started.
  ///
  /// - Throws: as ``write(_:)``; `write-failed` also for fewer bytes than the entry's size.
  package func endEntry() throws(CofferError) {
    try attempt { () throws(CofferError) in
      entries.end(try end(trailing: 0))
    }
  }

  /// Writes the index and the footer, and gives the file its name.
  ///
  /// - Parameter check: inspects the index before the file gets its name; an error ends the writing.
  /// - Returns: the index, with the root digest.
  /// - Throws: `output-exists` where a file of that name appeared meanwhile, `write-failed`, `output-closed`;
  ///   errors from the check.
  package func finish(
    check: (ArchiveIndex) throws(CofferError) -> Void = { _ in }
  ) throws(CofferError) -> ArchiveIndex {
    precondition(current == nil, "an entry was not ended")
    var result: ArchiveIndex?
    try attempt { () throws(CofferError) in
      try members.flush(&entries)
      result = try writeIndex(check)
      try members.output.commit()
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
    members.output.abandon()
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
      members.output.abandon()
      throw error
    }
  }

  private func error(_ code: CofferError.Code, _ entry: String?, _ detail: String) -> CofferError {
    CofferError(code, path: members.output.path, entry: entry, detail: detail)
  }

  private func begin(name: String, number: Int?, size: Int) {
    precondition(current == nil, "the entry before was not ended")
    current = Current(name: name, number: number, blocks: EntryBlocks(size: size))
    members.fill(with: TarHeader(name: name, size: size).encoded)
  }

  private func append(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    guard current != nil else { preconditionFailure("no entry has started") }
    guard unsafe current?.blocks.admit(bytes) == true else {
      throw error(
        .writeFailed, current?.name, "it is larger than expected; it may still be growing")
    }
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      if current?.blocks.isFull == true {
        try submit()
        current?.blocks.beginBlock()
      }
      if let piece = unsafe current?.blocks.take(from: &rest) { unsafe members.fill(with: piece) }
    }
  }

  /// Ends the current entry with its padding and some zero bytes more, and returns the content's digest.
  @discardableResult
  private func end(trailing: Int) throws(CofferError) -> ArchiveDigest {
    guard let entry = current else { preconditionFailure("no entry has started") }
    guard entry.blocks.left == 0 else {
      throw error(.writeFailed, entry.name, "it is smaller than expected")
    }
    members.fill(with: repeatElement(0, count: entry.blocks.padding + trailing))
    // An entry without content whose header is a separate member needs no second member.
    if !members.isBlockEmpty { try submit() }
    current = nil
    return entry.blocks.digest
  }

  /// Starts the compression of the block that was filled, and makes space for the next.
  private func submit() throws(CofferError) { try members.submit(current?.number, &entries) }

  /// Writes the index, the end of the tar and the footer.
  private func writeIndex(
    _ check: (ArchiveIndex) throws(CofferError) -> Void
  ) throws(CofferError) -> ArchiveIndex {
    let offset = members.output.offset
    let index = entries.index()
    guard options.isWritten else {
      if index.maximumSize > ArchiveLimits.standard.indexSize { _ = try entries.encoded(index) }
      try check(index)
      return index
    }
    let json = try entries.encoded(index)
    try check(index)
    raisedLimits = index.raisedLimits(size: json.count, at: offset)
    begin(name: EntryName.index, number: nil, size: json.count)
    try unsafe json.withBytes { bytes throws(CofferError) in try unsafe append(bytes) }
    try end(trailing: 2 * TarHeader.blockSize)
    try members.flush(&entries)
    try members.writeFooter(indexOffset: offset)
    return index
  }
}
