internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport

/// The import of a damaged archive, and its problems.
struct SalvageTrial {
  /// The form of the archive.
  enum Way: CaseIterable, Sendable {
    case file, pipe
  }

  let subject: SalvageSubject
  let damaged: [UInt8]
  let way: Way
  /// The names of the lost entries; determined if they are not given.
  let lost: Set<String>
  /// Whether the index came whole.
  let hasIndex: Bool

  init(
    _ subject: SalvageSubject, _ damaged: [UInt8], _ way: Way, lost: Set<String>? = nil,
    hasIndex: Bool? = nil
  ) {
    self.subject = subject
    self.damaged = damaged
    self.way = way
    self.lost = lost ?? subject.lost(in: damaged)
    self.hasIndex = hasIndex ?? subject.hasIndex(damaged)
  }

  /// What is wrong, in words; empty where everything is as it must be.
  func faults() throws -> [String] {
    let folder = try TemporaryDirectory()
    let archive = try folder.write(damaged, to: "Damaged.coffer.tar.gz")
    let oracle = SalvageOracle(subject: subject, lost: lost)
    var faults: [String] = []
    do {
      let summary = try salvage(archive, to: folder.file("Store.sqlite"))
      // A changed bit of compressed data may mean nothing: where the index tells that an entry is what it
      // was, it must come, and the comparison of the rows shows that it did.
      let named = Self.named(summary)
      let oracle = SalvageOracle(
        subject: subject, lost: hasIndex && named.isSubset(of: lost) ? named : lost)
      if oracle.isHopeless { faults.append("a store came without its schema") }
      faults += try compare(summary, oracle, folder)
    } catch let error as CofferError {
      let isEmpty = lost.count == subject.index.entries.count
      // Less than the header of a member is no archive.
      if damaged.count >= 20, error.code != .damagedArchive {
        faults.append("another code: \(error)")
      }
      if !oracle.isHopeless, !isEmpty { faults.append("refused: \(error)") }
      if error.place.entry == nil, error.place.offset == nil, !isEmpty {
        faults.append("no place: \(error)")
      }
    }
    let expected: Set = [
      "Damaged.coffer.tar.gz", "Store.sqlite", ".Store_SUPPORT", "Rest.coffer.tar.gz",
      "Rest.sqlite", ".Rest_SUPPORT",
    ]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return faults + names.filter { !expected.contains($0) }.map { "left over: \($0)" }
  }

  /// The names of the entries that an import reported to be lost.
  private static func named(_ summary: ImportSummary) -> Set<String> {
    Set(
      summary.findings.filter { [.lostEntry, .lostDocument].contains($0.code) }
        .map { String($0.detail.prefix { $0 != ":" }) })
  }

  /// Imports the damaged archive.
  func salvage(_ archive: String, to store: String) throws -> ImportSummary {
    var options = ImportOptions()
    options.salvages = true
    let importer = StoreImporter(options: options)
    guard way == .pipe else { return try importer.import(archive, to: store) }
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    let bytes = Data(damaged)
    let thread = Thread {
      try? writer.write(contentsOf: bytes)
      try? writer.close()
    }
    thread.start()
    // What is not read must not keep the writer waiting.
    defer { _ = try? pipe.fileHandleForReading.readToEnd() }
    return try importer.import(
      fileDescriptor: pipe.fileHandleForReading.fileDescriptor, to: store)
  }

  private func compare(
    _ summary: ImportSummary, _ oracle: SalvageOracle, _ folder: TemporaryDirectory
  ) throws -> [String] {
    guard !oracle.isHopeless else { return [] }
    var faults: [String] = []
    let (rest, lostValues) = try oracle.archiveOfTheRest()
    try rest.write(to: folder.file("Rest.coffer.tar.gz"))
    try StoreImporter().import(folder.file("Rest.coffer.tar.gz"), to: folder.file("Rest.sqlite"))
    var comparer = StoreComparer()
    comparer.ignoredTables = oracle.rebuiltTables
    faults += try comparer.differences(folder.file("Rest.sqlite"), folder.file("Store.sqlite"))
    let losses = summary.losses ?? ImportSummary.Losses()
    if losses.isComplete != hasIndex { faults.append("the index came: \(hasIndex)") }
    // Values of the metadata and of the model cache are counted in addition to values of objects.
    let values = summary.findings.filter { $0.code == .lostEntryValue }.count
    if values != lostValues || losses.valueCount != lostValues {
      faults.append("\(losses.valueCount) lost values, not \(lostValues)")
    }
    guard hasIndex else { return faults }
    let lost = oracle.lost
    let named = Self.named(summary)
    if named != lost { faults.append("lost: \(lost.sorted()), reported: \(named.sorted())") }
    if losses.entryCount != lost.count { faults.append("\(losses.entryCount) lost entries") }
    if losses.objectCount != oracle.lostObjects {
      faults.append("\(losses.objectCount) lost objects, not \(oracle.lostObjects)")
    }
    if summary.contentDigest.isEmpty == (losses == ImportSummary.Losses()) {
      faults.append("the content digest of what is not whole: \(summary.contentDigest)")
    }
    let isBad = (summary.counts[.error] ?? 0) > 0
    if isBad != !lost.isEmpty { faults.append("errors: \(isBad), lost: \(lost.sorted())") }
    return faults
  }
}
