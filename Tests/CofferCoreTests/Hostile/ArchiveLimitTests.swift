internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Every command that reads archives says the same of an archive that exceeds a limit.
@Suite struct ArchiveLimitTests {
  /// A command that reads an archive.
  enum Command: String, CaseIterable, Sendable {
    case `import`, importPiped, verify, verifyPiped, inspect, show, diff, export, model

    /// Part of its report about the archive.
    fileprivate var part: String {
      switch self {
      case .import, .importPiped: "objectCount: 37,"
      case .verify, .verifyPiped: "37 [\"check-not-run\"]"
      case .inspect: "37 of [AttachmentEntity"
      case .show: "AttachmentEntity/p5"
      case .diff: "changed TagEntity/p1 attribute:name"
      case .export: "fileName: \"TagEntity.csv\""
      case .model: "TagEntity"
      }
    }

    /// The limits that it need not notice, because of an archive it does not read all.
    fileprivate var unread: Set<ArchiveLimits.Name> {
      switch self {
      case .import, .importPiped: []
      case .verify, .verifyPiped: [.indexEntries, .indexGrowth]
      // A name that needs an extended header is that of a file; texts that large are not looked at.
      case .export: [.extendedHeaderSize, .indexEntries, .indexGrowth, .administrationRows]
      case .inspect: Command.show.unread.union([.shortLines])
      case .show, .diff:
        [
          .extendedHeaderSize, .textSize, .indexEntries, .indexGrowth, .administrationRows,
          .blobReuse,
        ]
      case .model:
        [
          .extendedHeaderSize, .textSize, .partSize, .lineDepth, .indexEntries, .indexGrowth,
          .administrationRows, .blobReuse, .shortLines,
        ]
      }
    }
  }

  /// A low limit, and the limit that an error names.
  struct Trial: Sendable, CustomStringConvertible {
    let description: String
    let limits: ArchiveLimits
    let named: ArchiveLimits.Name
    let packing: ArchiveRewriter.Packing
    let isCrowded: Bool

    init(_ name: ArchiveLimits.Name, _ value: Int, besides other: ArchiveLimits.Name? = nil) {
      description = name.rawValue
      var limits = ArchiveLimits.standard
      limits[name] = value
      if let other { limits[other] = 1 }
      self.limits = limits
      named = name == .repackedFreeSize ? .repackedRatio : name
      isCrowded = [.smallEntries, .indexExcess, .indexGrowth, .shortLines].contains(name)
      packing =
        switch name {
        case .repackedRatio, .repackedFreeSize: .stockTar
        case .windowSize: .stockZstd
        default: .members
        }
    }
  }

  static let trials = [
    Trial(.entryCount, 3), Trial(.totalSize, 1 << 10), Trial(.indexSize, 1 << 10),
    Trial(.indexDepth, 2), Trial(.extendedHeaderSize, 16), Trial(.documentSize, 256),
    Trial(.documentDepth, 2), Trial(.documentValues, 20), Trial(.entities, 3),
    Trial(.statements, 5), Trial(.statementSize, 20), Trial(.indexCounts, 1),
    Trial(.indexEntries, 1), Trial(.blobReuse, 0), Trial(.smallEntries, 3),
    Trial(.indexExcess, 1), Trial(.indexGrowth, 0), Trial(.properties, 5),
    Trial(.administrationRows, 1), Trial(.schemaSize, 100),
    Trial(.shortLines, 2),
    Trial(.partSize, 64), Trial(.lineDepth, 1), Trial(.textSize, 1 << 20),
    Trial(.repackedRatio, 1, besides: .repackedFreeSize),
    Trial(.repackedFreeSize, 1 << 10, besides: .repackedRatio), Trial(.windowSize, 1 << 10),
  ]

  /// A store, an archive of its earlier state, and the same archive packed by stock tools.
  private struct Subject {
    let sample: SampleCopy
    let archive: String
    let repacked: String
    /// The archive with a thousand empty files, more indexes than values, and objects of few bytes.
    let crowded: String
    let repackedWithZstd: String

    private let folder: TemporaryDirectory
    static let made = Result { try Subject() }

    private init() throws {
      folder = try TemporaryDirectory.untilExit()
      sample = try SampleCopy(
        changedBy: "UPDATE ZTAGENTITY SET ZNAME = hex(zeroblob(2500000)) WHERE Z_PK = 7")
      archive = folder.file("Store.coffer.tar.gz")
      repacked = folder.file("Repacked.coffer.tar.gz")
      repackedWithZstd = folder.file("Repacked.coffer.tar.zst")
      try StoreExporter().export(try PersistentStore(readingFrom: sample.path), to: archive)
      var rewriter = try ArchiveRewriter(archive)
      // The first name stands out of line.
      let tags = try rewriter.position(of: HostileArchive.tags)
      try rewriter.insert(.init("entities/TagEntity/00000.blobs", text: "home"), at: tags)
      try rewriter.changeLines(of: HostileArchive.tags) {
        $0[0] = $0[0].replacing("\"name\":\"home\"", with: "\"name\":{\"$text\":[0,4]}")
      }
      let name = "support/" + String(repeating: "n", count: 150)
      try rewriter.insert(.init(name, text: "x"), at: rewriter.entries.count)
      try rewriter.write(to: archive)
      try rewriter.write(to: repacked, packing: .stockTar)
      try rewriter.write(to: repackedWithZstd, packing: .stockZstd)
      crowded = folder.file("Crowded.coffer.tar.gz")
      for number in 0..<1000 {
        try rewriter.insert(.init("support/f\(number)", text: ""), at: rewriter.entries.count)
      }
      try rewriter.changeText(of: HostileArchive.schema) {
        let indexes = (0..<6).map {
          "{\"kind\":\"index\",\"name\":\"I\($0)\",\"table\":\"ZTAGENTITY\","
            + "\"text\":\"CREATE INDEX I\($0) ON ZTAGENTITY (ZNAME)\"},"
        }
        $0 = $0.replacing("\"statements\": [", with: "\"statements\": [" + indexes.joined())
      }
      for folder in ["entities/TagEntity", "entities/AttachmentEntity"] {
        try rewriter.changeLines(of: folder + "/00000.ndjson") { lines in
          lines += (90..<93).map { "{\"$pk\":\($0),\"$opt\":1}" }
        }
      }
      try rewriter.write(to: crowded)
      try sample.change("UPDATE ZTAGENTITY SET ZNAME = 'changed' WHERE Z_PK = 1")
    }
  }

  @Test func everyLimitIsTried() {
    // An archive does not exceed the number of findings, which are counted beyond it.
    let names = Set(ArchiveLimits.Name.allCases).subtracting([.findings])
    #expect(Set(Self.trials.map(\.description)) == Set(names.map(\.rawValue)))
  }

  @Test(arguments: trials, Command.allCases)
  func anExceededLimitIsSaidAlike(_ trial: Trial, _ command: Command) throws {
    let subject = try Subject.made.get()
    let folder = try TemporaryDirectory()
    let archive =
      switch trial.packing {
      case .stockTar: subject.repacked
      case .stockZstd: subject.repackedWithZstd
      default: trial.isCrowded ? subject.crowded : subject.archive
      }
    do {
      let said = try Self.run(command, archive, subject.sample.path, folder, trial.limits)
      #expect(command.unread.contains(trial.named), "nothing was noticed")
      let other = try TemporaryDirectory()
      #expect(try said == Self.run(command, archive, subject.sample.path, other, .standard))
    } catch let error as CofferError {
      #expect(error.code.text == "archive-limit", "\(error)")
      #expect(error.detail.contains("than the limit \(trial.named.rawValue) allows"), "\(error)")
      #expect(error.hint?.contains("the group \(trial.named.group.rawValue)") ?? false, "\(error)")
      #expect(try folder.contents() == [])
    }
  }

  @Test(arguments: Command.allCases) func theStandardLimitsLetItPass(_ command: Command) throws {
    let subject = try Subject.made.get()
    for archive in [subject.archive, subject.repacked, subject.repackedWithZstd] {
      let folder = try TemporaryDirectory()
      let said = try Self.run(command, archive, subject.sample.path, folder, .standard)
      #expect(said.contains(command.part), "\(said)")
    }
  }

  /// Runs a command.
  ///
  /// - Returns: its report about the archive.
  private static func run(
    _ command: Command, _ archive: String, _ store: String, _ folder: TemporaryDirectory,
    _ limits: ArchiveLimits
  ) throws -> String {
    var environment = WorkEnvironment()
    environment.limits = limits
    switch command {
    case .import, .importPiped:
      var options = ImportOptions()
      options.environment = environment
      let importer = StoreImporter(options: options)
      let target = folder.file("Copy.sqlite")
      let summary =
        command == .import
        ? try importer.import(archive, to: target)
        : try piped(archive) { try importer.import(fileDescriptor: $0, to: target) }
      return "\(summary.content)"
    case .verify, .verifyPiped:
      var options = VerificationOptions()
      options.environment = environment
      let verifier = Verifier(options: options)
      var codes: [String] = []
      let summary =
        command == .verify
        ? try verifier.verify(archive) { codes.append($0.code.text) }
        : try piped(archive) {
          try verifier.verify(fileDescriptor: $0) { codes.append($0.code.text) }
        }
      return "\(summary.objectCount) \(codes)"
    case .inspect:
      let entities = try StoreInspector(environment: environment).inspect(archive)
        .entities
      return "\(entities.reduce(0) { $0 + $1.objectCount }) of \(entities.map(\.name))"
    case .show:
      var found: [ShownObject] = []
      let query = ObjectQuery(entityName: "AttachmentEntity")
      try ObjectBrowser(environment: environment).show(archive, query) {
        found.append($0)
      }
      return "\(found)"
    case .diff:
      var options = ComparisonOptions()
      options.environment = environment
      var texts: [String] = []
      try StoreComparison(options: options).compare(archive, store) { texts.append($0.text) }
      return "\(texts)"
    case .export:
      var options = DataExportOptions(format: .csv)
      options.environment = environment
      let exporter = DataExporter(options: options)
      return try "\(exporter.write(archive, to: folder.file("Data")).parts)"
    case .model:
      return try
        "\(ModelLoader.model(from: archive, environment: environment).entities.map(\.name))"
    }
  }

  private static func piped<T>(_ path: String, _ body: (Int32) throws -> T) throws -> T {
    let file = try #require(FileHandle(forReadingAtPath: path))
    defer { try? file.close() }
    return try body(file.fileDescriptor)
  }
}
