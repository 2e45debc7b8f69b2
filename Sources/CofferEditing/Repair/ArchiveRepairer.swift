package import CofferCore
package import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Repairs a damaged archive with intact entries of other archives of the same store.
///
/// ```swift
/// let summary = try ArchiveRepairer().repair(
///   "Damaged.coffer.tar.gz", with: ["Monday.coffer.tar.gz"], to: .file("Mended.coffer.tar.gz"))
/// print(summary.isWhole)
/// ```
///
/// The index of the damaged archive has the digest of every entry. A damaged entry is replaced by an
/// intact one with the same digest, so no data of another state gets in. If all are found, the result is
/// the original archive; otherwise it contains everything that can be restored, and a list of losses.
package struct ArchiveRepairer: Sendable {
  /// The environment for reading the archives: all of them with the same identities.
  package var environment: WorkEnvironment
  /// Who can read the result; nil for the recipients of the identities if the damaged archive is encrypted,
  /// else for everyone.
  package var encryption: ArchiveEncryption?
  /// Receives the progress.
  package var progress: any ProgressReporter

  /// Creates a repairer.
  package init(
    environment: WorkEnvironment = WorkEnvironment(), encryption: ArchiveEncryption? = nil,
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.environment = environment
    self.encryption = encryption
    self.progress = progress
  }

  /// Mends an archive.
  ///
  /// - Parameters:
  ///   - archive: the damaged archive, a file.
  ///   - others: other archives, older or newer, in the order in which they are searched; they may be
  ///     damaged, too. Each is read only if something is still missing.
  ///   - target: where the result goes.
  /// - Returns: the found and the lost entries.
  /// - Throws: ``CofferError``: `not-an-archive`, `damaged-archive` or `truncated-archive` if too little of
  ///   the archive remains, `newer-format`, `archive-limit`, `read-failed`; the same for other archives;
  ///   `incompatible-choices` if the archive is encrypted and the recipients of the result are unknown;
  ///   `output-exists`, `write-failed`. `CancellationError`.
  @discardableResult
  package func repair(
    _ archive: String, with others: [String], to target: ArchiveTarget
  ) throws -> ArchiveRepairSummary {
    progress.report(WorkProgress(.salvaging))
    var options = environment.readerOptions()
    options.salvages = true
    options.donors = others
    let reader = try ArchiveReader(.file(path: archive), options: options)
    guard let report = reader.salvage else { preconditionFailure("the reader salvages") }
    let encryption = try encryption(of: reader, archive)
    guard let index = reader.index, report.lostEntries.isEmpty, report.alteredEntries.isEmpty else {
      return try restore(archive, others, report, encryption, to: target)
    }
    return try copy(archive, reader, index, report, encryption, to: target)
  }

  private func encryption(
    of reader: ArchiveReader, _ path: String
  ) throws(CofferError) -> ArchiveEncryption? {
    guard encryption == nil, reader.isEncrypted else { return encryption }
    let recipients = environment.identities.compactMap(\.recipient)
    guard recipients.isEmpty else { return try ArchiveEncryption(recipients: recipients) }
    throw CofferError(
      .incompatibleChoices, path: path,
      detail: "it is encrypted with a passphrase, so the recipients of the result are unknown",
      advice: "Decrypt the archive first: age -d -o PLAIN ARCHIVE")
  }

  // MARK: Everything is there

  /// Writes the entries, in compressed form if that gives the same bytes.
  private func copy(
    _ archive: String, _ reader: ArchiveReader, _ index: ArchiveIndex, _ report: SalvageReport,
    _ encryption: ArchiveEncryption?, to target: ArchiveTarget
  ) throws -> ArchiveRepairSummary {
    var writer: ArchiveWriter?
    defer { writer?.abandon() }
    var number = 0
    while let header = try reader.next() {
      try Task<Never, Never>.checkCancellation()
      progress.report(WorkProgress(.writing, completed: number, total: index.entries.count))
      let compressed = try reader.compressedEntry()
      let current: ArchiveWriter
      if let writer {
        current = writer
      } else {
        current = try ArchiveWriter(
          to: target.destination,
          options: ArchiveWriterOptions(
            compression: compressed?.compression ?? ArchiveCompression(fileName: archive) ?? .gzip,
            encryption: encryption))
        writer = current
      }
      let record = index.entries[number]
      number += 1
      try copy(record, from: reader, compressed, header, to: current)
    }
    guard let writer else { preconditionFailure("a salvage has entries") }
    let written = try writer.finish { written throws(CofferError) in
      guard written.rootDigest == index.rootDigest else {
        throw CofferError(.damagedArchive, path: archive, detail: "its index contradicts itself")
      }
    }
    return ArchiveRepairSummary(
      entryCount: written.entries.count, takenEntries: report.takenEntries, findings: [],
      losses: nil, digest: written.rootDigest.hex, contentDigest: written.contentDigest.hex,
      byteCount: writer.byteCount)
  }

  private func copy(
    _ record: ArchiveIndex.Entry, from reader: ArchiveReader, _ compressed: CompressedEntry?,
    _ header: ArchiveEntryHeader, to writer: ArchiveWriter
  ) throws {
    let name = NumberedEntryName(record.name)
    // Another size indicates another level: compressing again gives the original bytes.
    if let compressed, compressed.entry.compressedSize == record.compressedSize {
      let isCopied = try writer.add(
        compressed, as: record.name, isHeaderApart: name?.hasHeaderApart ?? false,
        attributes: record.attributes)
      if isCopied { return try reader.skip() }
    }
    if let name {
      try writer.beginEntry(name, size: header.size, attributes: record.attributes)
    } else {
      try writer.beginEntry(name: record.name, size: header.size, attributes: record.attributes)
    }
    var piece = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
    while true {
      let count = try unsafe piece.withUnsafeMutableBytes { unsafe try reader.read(into: $0) }
      if count == 0 { break }
      try unsafe piece.withUnsafeBytes {
        unsafe try writer.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
    try writer.endEntry()
  }

  // MARK: Something is lost

  /// Restores the readable data, and exports it.
  private func restore(
    _ archive: String, _ others: [String], _ report: SalvageReport,
    _ encryption: ArchiveEncryption?, to target: ArchiveTarget
  ) throws -> ArchiveRepairSummary {
    var summary: ImportSummary?
    let imported = try ImportedStore(archive, environment) { copy in
      var importer = StoreImporter(progress: progress)
      importer.options.environment = environment
      importer.options.salvages = true
      importer.options.donors = others
      summary = try importer.import(archive, to: copy)
    }
    var options = ExportOptions(
      compression: ArchiveCompression(fileName: archive) ?? .gzip, encryption: encryption)
    let findings = summary?.findings ?? []
    options.losses = try imported.store.use { database in
      try ArchiveLosses(StoreTables(imported.store), database).document(report, findings)
    }
    do {
      let exported = try StoreExporter(options: options, progress: progress)
        .export(imported.store, to: target)
      return ArchiveRepairSummary(
        entryCount: 0, takenEntries: report.takenEntries, findings: findings,
        losses: summary?.losses, digest: exported.digest, contentDigest: exported.contentDigest,
        byteCount: exported.byteCount)
    } catch let error as CofferError {
      throw imported.named(error)
    }
  }
}

/// The result of mending an archive.
package struct ArchiveRepairSummary: Sendable {
  /// The number of entries of the archive, if none is lost.
  package var entryCount: Int
  /// The names of the entries that were taken from other archives.
  package var takenEntries: [String]
  /// The losses, and their effects on the rest.
  package var findings: [Finding]
  /// The numbers of losses; nil if nothing is lost.
  package var losses: ImportSummary.Losses?
  /// The root digest of the result, which is the original archive's unless something is lost.
  package var digest: String
  /// The content digest of the result.
  package var contentDigest: String
  /// The size of the result in bytes.
  package var byteCount: Int

  /// Whether everything was found, so that the result is the original archive.
  package var isWhole: Bool { losses == nil }
}
