internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// The command `coffer export STORE ARCHIVE`.
struct Export: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Back up a store to an archive.",
    usage: "coffer export <store> <archive> [<options>]",
    discussion: HelpText.discussion(
      "Writes an archive of the store. Changes nothing in the store, which may be in use.",
      examples: [
        "coffer export Trips.sqlite Trips.coffer.tar.gz",
        "coffer export Trips.sqlite Trips.coffer.tar.zst",
      ],
      statuses: [
        .findings: "exported, but a finding is at least as severe as --fail-on",
        .unusableInput: "the store does not exist, or the file is not a Core Data store",
        .busy: nil, .damaged: "the store is damaged (rescue recovers its readable parts)",
        .newerFormat: nil, .outputExists: nil, .refused: "refused: a different model",
      ]))

  @Argument(help: .value("store", "The store."), completion: .file())
  var store: String

  @Argument(help: .value("archive", "The archive; - is standard output."), completion: .file())
  var target: String?

  @Option(
    help: .value(
      "format", "How to compress: gzip or zstd (default: by the name of the archive, else gzip)."),
    completion: .list(ArchiveCompression.allCases.map(\.rawValue)), transform: Self.compression)
  var compression: ArchiveCompression?

  @Option(
    help: .value(
      "level",
      "The compression level: 0...12 with gzip (default: 5), 1...19 with zstd (default: 2)."))
  var level: Int?

  @Flag(help: "Compress fast: same as --level 1.")
  var fast = false

  @Flag(help: "Compress as much as possible: same as --level 12, with zstd 19.")
  var small = false

  @Option(
    help: .value(
      "count",
      "The number of threads that read and compress (default: one per processor, at most 4)."))
  var threads: Int?

  @Flag(help: "Replace an existing archive.")
  var force = false

  @Option(
    name: .customLong("skip"), help: .value("code", "Do not report this code; repeatable."),
    completion: .list(FindingCode.allCases.map(\.text)), transform: KnownName.code)
  var skippedCodes: [FindingCode] = []

  @Option(help: .value("severity", "The lowest severity that ends with 3 (default: error)."))
  var failOn: FailureThreshold?

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var encrypting: EncryptionOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [target] }

  var answerStream: StandardStream { isPiped ? .error : .output }

  private var archive: String { target ?? "" }

  private var isPiped: Bool { archive == "-" }

  /// The compression of the archive: from the option, or from the name.
  private var chosenCompression: ArchiveCompression {
    compression ?? ArchiveCompression(fileName: archive) ?? .gzip
  }

  func validate() throws {
    if target == nil {
      throw ValidationError(
        "Missing expected argument '<archive>', such as: coffer export \(store) \(proposal)")
    }
    try refuseOtherFormats()
    if [level != nil, fast, small].filter({ $0 }).count > 1 {
      throw ValidationError("Use only one of --level, --fast and --small.")
    }
    try refuseContradiction()
    let levels = chosenCompression.levels
    if let level, !levels.contains(level) {
      throw ValidationError(
        "The level must be between \(levels.lowerBound) and \(levels.upperBound) with "
          + "\(chosenCompression.rawValue), not \(level).")
    }
    if let threads, !(0...256).contains(threads) {
      throw ValidationError("The number of threads must be between 0 and 256, not \(threads).")
    }
  }

  static func compression(_ text: String) throws -> ArchiveCompression {
    if let compression = ArchiveCompression(rawValue: text) { return compression }
    throw ValidationError("Unknown compression '\(text)'. Choose 'gzip' or 'zstd'.")
  }

  /// Refuses a name with the ending of a table, and suggests the command that writes tables.
  private func refuseOtherFormats() throws {
    let endings: [String: DataFormat] = [
      "csv": .csv, "json": .ndjson, "ndjson": .ndjson, "jsonl": .ndjson, "db": .sqlite,
      "sqlite": .sqlite, "sqlite3": .sqlite,
    ]
    guard let dot = archive.lastIndex(of: "."), dot > archive.startIndex,
      let format = endings[archive[dot...].dropFirst().lowercased()],
      // A later check reports that the output would replace the input, with a better message.
      URL(fileURLWithPath: archive).standardizedFileURL
        != URL(fileURLWithPath: store).standardizedFileURL
    else { return }
    throw ValidationError(
      "'\(archive)' is not the name of an archive, such as \(proposal). Did you mean: "
        + "coffer tables export \(store) \(archive[..<dot]) --format \(format.rawValue)")
  }

  /// Refuses a name that contradicts the option for the compression.
  private func refuseContradiction() throws {
    guard let compression, let named = ArchiveCompression(fileName: archive), named != compression
    else { return }
    throw ValidationError(
      "'\(archive)' is a name for \(named.rawValue), but --compression is \(compression.rawValue). "
        + "Remove --compression, or use another name, such as \(proposal).")
  }

  /// The options for writing the archive.
  private func options(_ session: Session) throws -> ExportOptions {
    let compression = chosenCompression
    var options = ExportOptions(
      compression: compression,
      level: fast ? 1 : small ? compression.levels.upperBound : level, threads: threads,
      encryption: try encrypting.encryption(session))
    options.environment = try explaining.environment(session)
    options.skippedCodes = Set(skippedCodes)
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    if isPiped, StandardStream.output.isTerminal {
      throw CofferError(
        .refused, path: "standard output", detail: "an archive cannot be written to a terminal",
        advice:
          "Redirect it to a file or a pipe: coffer export \(store) - > NAME\(nameEnding)")
    }
    LargeBlocks.giveBack()
    session.progress.report(WorkProgress(.opening))
    let options = try options(session)
    let source = try explained {
      let path = try session.storePath(of: store, options.environment)
      return try InputFile.openStore(path, isPiped: isPiped)
    }
    let target: ArchiveTarget =
      isPiped
      ? .fileDescriptor(StandardStream.output.descriptor)
      : .file(archive, overwriting: force)
    let exporter = StoreExporter(options: options, progress: session.progress)
    let summary = try explained { try exporter.export(source, to: target) }
    let name = isPiped ? "standard output" : archive
    let status = try session.showResult(
      ExportMessage(summary: summary, archive: name, threshold: failOn ?? .error))
    if let defect = source.modelDefect {
      try session.printer.warn(
        "inferred-model",
        "\(store): \(defect). "
          + (FindingCode.unreadableModelCache.commandText(store) ?? ""))
    }
    try EmptyStoreNote.print(store, objectCount: summary.objectCount, session)
    if !summary.limitFactors.isEmpty {
      let options = summary.limitFactors.map { "--archive-limit \($0.key.rawValue)=\($0.value)" }
      try session.printer.warn(
        "raised-limits",
        "\(name) exceeds a default limit of archives. Every command that reads it needs "
          + options.sorted().joined(separator: " "))
    }
    return status
  }

  private var nameEnding: String {
    (compression ?? .gzip).fileNameEnding + (encrypting.isUsed ? ".age" : "")
  }

  /// A suggested name for the archive, in the current folder.
  private var proposal: String {
    var name = StorePaths.name(of: store)
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return name + nameEnding
  }

  /// Runs a closure that reads the store.
  ///
  /// - Throws: errors from the closure. If the store is damaged, the hint says how to continue.
  private func explained<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as CofferError where error.code == .damagedStore {
      error.advice = [.salvageStore]
      throw error
    }
  }
}
