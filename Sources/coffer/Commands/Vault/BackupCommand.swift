internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import POSIX

/// The command `coffer backup STORE… --vault VAULT`.
struct BackupCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Add backups of stores to a vault.",
    usage: "coffer backup <store> ... --vault <vault> [<options>]",
    discussion: HelpText.discussion(
      """
      Adds a backup of each store to a vault: a folder, which the first backup creates. Writes \
      the changes since the latest backup, or everything if changes would save too little. \
      Changes nothing in the stores, which may be in use. The backups of a store at one path are \
      a series; a copy elsewhere has its own series. If one store cannot be backed up, the \
      others still are.
      """,
      examples: [
        "coffer backup Trips.sqlite --vault Backups",
        "coffer backup Trips.sqlite --vault Backups --series trips",
        "coffer find . --json | coffer backup --vault Backups --stores-from -",
      ],
      statuses: [
        .done: "success", .failed: "failure, or one of several stores was not backed up",
        .findings: "the previous backup is damaged; --fail-on wipe: most objects are gone",
        .unusableInput: "the store does not exist or is not a Core Data store; not a vault",
        .busy: nil, .damaged: "the store is damaged (rescue recovers its readable parts)",
        .newerFormat: "the vault needs a newer version of coffer",
        .refused: "refused: no UUID, other files in the vault's folder, other recipients",
      ]))

  @Argument(help: .value("store", "The stores."), completion: .file())
  var stores: [String] = []

  @Option(
    help: .value("vault", "The vault: a folder, s3://BUCKET/PREFIX or rclone:REMOTE:PATH."),
    completion: .directory)
  var vault: String

  @Option(
    help: .value(
      "file",
      "Also back up the stores in a list: paths, or coffer find --json; - is standard input."),
    completion: .file())
  var storesFrom: String?

  @Option(
    name: .customLong("series"),
    help: .value("name", "Add the backup to the series with this name, wherever the store is."))
  var seriesName: String?

  @Flag(help: "Back up everything, not only the changes.")
  var full = false

  @Option(
    name: .customLong("encrypt-to"),
    help: .value("age1…", "Encrypt all backups of a new vault for this age recipient; repeatable."))
  var recipients: [String] = []

  @Option(
    help: .value("format", "How to compress: gzip or zstd (default: gzip)."),
    transform: Export.compression)
  var compression: ArchiveCompression = .gzip

  @Option(
    help: .value(
      "event", "End with 3 on a wipe: most objects of an entity are gone since the latest backup."))
  var failOn: BackupAlarm?

  @Option(help: .value("format", "The output format (default: text)."))
  var format: ReportFormat?

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    try ReportFormat.validate(format, &output)
    if stores.isEmpty, storesFrom == nil {
      throw ValidationError("Missing expected argument '<store>'")
    }
    try EncryptionOptions.validate(recipients)
    guard let seriesName else { return }
    guard BackupSeries.isName(seriesName) else { throw ValidationError.seriesName(seriesName) }
    guard stores.count == 1, storesFrom == nil else {
      throw ValidationError("'--series' names the series of one store; back up others separately.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    guard format == .junit else {
      let result = try backUp(session)
      try session.printer.print(result)
      return result.status
    }
    return try writingJUnit(vault, session) { suites in
      let result = try backUp(session)
      suites = [JUnitDocument.Suite(name: vault, cases: result.cases)]
      return result.status
    }
  }

  /// Backs up one store after another, and prints the result of each.
  private func backUp(_ session: Session) throws -> BackupsMadeMessage {
    var options = BackupOptions(
      compression: compression, recipients: recipients.isEmpty ? nil : recipients)
    options.isFull = full
    options.seriesName = seriesName
    let target = try reading.vault(at: vault, session, model: explaining)
    var known: Set<Name> = []
    let paths = try (stores + (storesFrom.map { try StoreList.read($0) } ?? [])).filter {
      known.insert(Name((try? FileNames.resolve($0)) ?? $0)).inserted
    }
    guard !paths.isEmpty else {
      throw CofferError(
        .notFound, path: storesFrom ?? "", detail: "it names no store",
        advice: "Check what makes the list, such as: coffer find FOLDER --json")
    }
    var result = BackupsMadeMessage(vault: vault, failingOn: failOn)
    for path in paths {
      do {
        let summary = try target.backup(storeAt: path, options: options)
        session.eraseProgress()
        result.add(summary, path)
        try warn(summary, path, session)
        try EmptyStoreNote.print(path, objectCount: summary.objectCount, session)
        guard format != .junit else { continue }
        try session.printer.print(BackupMadeMessage(summary: summary, store: path, vault: vault))
      } catch {
        // With a single store, or when interrupted, the command fails with this error.
        if paths.count == 1 || error is CancellationError || Task.isCancelled { throw error }
        session.eraseProgress()
        let failure = Failure(Self.explained(error, path), isInterrupted: false)
        result.add(failure, path)
        session.printer.fail(failure)
      }
    }
    return result
  }

  /// Warns about unusual properties of a backup.
  private func warn(_ summary: BackupSummary, _ path: String, _ session: Session) throws {
    if let notice = summary.seriesNotice {
      try session.printer.warn("series", notice.text(of: summary.backup, path))
    }
    if let damage = summary.baseDamage {
      try session.printer.warn(
        "damaged-base",
        "\(path): the previous backup is damaged, so this one is full: \(damage). "
          + "Check the vault: coffer vault check --read-data \(vault)")
    }
    let time = summary.backup.moment
    if time.secondsSince1970 - Instant.now.secondsSince1970 > 86_400 {
      try session.printer.warn(
        "future-backup",
        "\(path): the time of this backup is \(time), because the vault has an earlier one from the future. "
          + "'forget' counts days by these times: remove the earlier one")
    }
  }

  /// The error with the path of the store, which is needed if there are several.
  private static func explained(_ error: any Error, _ path: String) -> any Error {
    guard var error = InputAdvice.explaining(error) as? CofferError else { return error }
    if [try? FileNames.resolve(path), ""].contains(error.place.path) { error.place.path = path }
    return error
  }
}

/// A list of stores: a path on each line, or before each zero byte, or what `coffer find --json` prints.
enum StoreList {
  /// Reads a list from a file, or standard input if the path is `-`; empty lines are ignored.
  ///
  /// - Throws: ``CofferError`` with `not-found` or `read-failed`; `refused` for a terminal.
  static func read(_ path: String) throws(CofferError) -> [String] {
    if path == "-", Terminal.isTerminal(0) {
      throw CofferError(
        .refused, path: "standard input", detail: "a list of stores is not read from a terminal",
        advice: "Pass the paths as arguments, or pipe them.")
    }
    let list = try bytes(of: path)
    let paths = list.split(separator: list.contains(0) ? 0 : 0x0A)
      .map { String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self) }
      .filter { !$0.isEmpty }.compactMap(store)
    if let path = paths.first(where: { $0.utf8.contains(0) }) {
      throw CofferError(.notFound, path: path, detail: "no path has a zero byte")
    }
    return paths
  }

  /// The path on a line; nil for a line of JSON about something else.
  private static func store(_ line: String) -> String? {
    guard line.hasPrefix("{"), let value = try? JSONValue.parse(Array(line.utf8)) else {
      return line
    }
    guard value["type"] == .string("found"), case .string(let path)? = value["path"] else {
      return nil
    }
    return path
  }

  private static func bytes(of path: String) throws(CofferError) -> [UInt8] {
    do throws(SystemError) {
      let descriptor = path == "-" ? 0 : try FileIO.open(path)
      defer { if path != "-" { FileIO.close(descriptor) } }
      return try FileBytes.rest(of: descriptor)
    } catch {
      throw CofferError(reading: path == "-" ? "standard input" : path, error)
    }
  }
}
