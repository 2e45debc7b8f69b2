internal import CofferKit
internal import POSIX
internal import Synchronization

/// The output of a command: its result and its progress.
struct Session {
  let printer: Printer
  /// The backups and XML stores that the command reads.
  let sources = BackupSources()
  let answer: StandardStream
  private let line: ProgressLine?

  init(_ options: OutputOptions, command: String, answer: StandardStream) {
    self.answer = answer
    printer = Printer(options, command: command, answer: answer)
    line = options.progressForm.map { ProgressLine(.error, form: $0) }
  }

  var progress: any ProgressReporter { line ?? SilentProgress() }

  /// Ends the progress and removes it from the terminal.
  ///
  /// Call it before printing anything else.
  func eraseProgress() { line?.erase() }

  /// Prints a message after the end of the progress.
  func show(_ message: some Message) throws {
    eraseProgress()
    try printer.print(message)
  }

  /// Prints the result of the command after the end of the progress; returns its status.
  func showResult(_ message: some ResultMessage) throws -> ExitStatus {
    try show(message)
    return message.status
  }

  /// The path of a source; see ``BackupSources/path(of:_:progress:)``.
  func path(of text: String, _ environment: WorkEnvironment) throws -> String {
    try sources.path(of: text, environment, progress: progress)
  }

  /// The path of a file; see ``BackupSources/backupPath(of:_:progress:)``.
  func backupPath(of text: String, _ environment: WorkEnvironment) throws -> String {
    try sources.backupPath(of: text, environment, progress: progress)
  }

  /// The paths of files; see ``BackupSources/backupPath(of:_:progress:)``.
  func backupPaths(of texts: [String], _ environment: WorkEnvironment) throws -> [String] {
    try texts.map { try backupPath(of: $0, environment) }
  }

  /// The path of a store; see ``BackupSources/storePath(of:_:progress:)``.
  func storePath(of text: String, _ environment: WorkEnvironment) throws -> String {
    try sources.storePath(of: text, environment, progress: progress)
  }
}

/// The backups and XML stores that a command reads as sources, as files that exist until the command ends.
///
/// This is the only place that knows `VAULT#ID` and XML stores: everywhere else, a backup is an archive like any
/// other, and an XML store is an SQLite store.
final class BackupSources: Sendable {
  private struct Opened {
    let text: String
    let path: String
    /// The backup; nil for an XML store.
    let backup: Backup?
    let isTemporary: Bool
    /// The temporary file goes with it.
    let keeper: any Sendable
  }

  private let opened = Mutex<[Opened]>([])
  private let roundings = Mutex<[String]>([])

  /// The losses of SQLite stores that are made of XML stores, as sentences.
  var notes: [String] { roundings.withLock { $0 } }

  /// The path of a source: for a backup, the path of an archive of its state; for an XML store, the path of the
  /// SQLite store that is made of it; else the text itself.
  ///
  /// - Throws: ``CofferError`` if the text names a backup that cannot be opened; `CancellationError`.
  func path(
    of text: String, _ environment: WorkEnvironment,
    progress: any ProgressReporter = SilentProgress()
  ) throws -> String {
    let path = try backupPath(of: text, environment, progress: progress)
    return path == text ? try storePath(of: text, environment, progress: progress) : path
  }

  /// The path of a file whose kind does not matter: for a backup, the path of an archive of its state; else the
  /// text itself.
  ///
  /// - Throws: ``CofferError`` if the text names a backup that cannot be opened; `CancellationError`.
  func backupPath(
    of text: String, _ environment: WorkEnvironment, progress: any ProgressReporter
  ) throws -> String {
    guard let (vault, reference) = try vault(of: text, environment, progress) else { return text }
    let backup = try vault.open(reference.selection)
    return add(
      Opened(
        text: text, path: backup.path, backup: backup.backup, isTemporary: backup.isTemporary,
        keeper: backup))
  }

  /// The path of a store, for a command that reads no archives: for an XML store, the path of the SQLite store
  /// that is made of it; else the text itself.
  ///
  /// - Throws: ``CofferError`` for an XML store that cannot be read; `CancellationError`.
  func storePath(
    of text: String, _ environment: WorkEnvironment, progress: any ProgressReporter
  ) throws -> String {
    guard XMLStoreReader.isXMLStore(text) else { return text }
    let store = try XMLStoreConversion(of: text, environment, progress: progress)
    if let note = store.roundingNote { roundings.withLock { $0.append("\(text): \(note)") } }
    return add(Opened(text: text, path: store.path, backup: nil, isTemporary: true, keeper: store))
  }

  /// The path of a source, for a command that may need only some objects.
  ///
  /// The environment gets the state of a backup that is kept as changes.
  ///
  /// - Throws: ``CofferError`` if a backup is meant and cannot be opened; `CancellationError`.
  func path(
    of text: String, composing environment: inout WorkEnvironment, progress: any ProgressReporter
  ) throws -> String {
    guard let (vault, reference) = try vault(of: text, environment, progress),
      let state = try vault.composedState(reference.selection)
    else { return try path(of: text, environment, progress: progress) }
    environment.composed = state
    return add(
      Opened(text: text, path: state.path, backup: state.backup, isTemporary: true, keeper: state))
  }

  private func vault(
    of text: String, _ environment: WorkEnvironment, _ progress: any ProgressReporter
  ) throws -> (Vault, BackupReference)? {
    guard let reference = try BackupReference(text) else { return nil }
    var vault = try Vault(reference.vault)
    vault.environment = environment
    vault.progress = progress
    return (vault, reference)
  }

  private func add(_ source: Opened) -> String {
    opened.withLock { $0.append(source) }
    return source.path
  }

  /// The backup whose state is at a path that ``path(of:_:progress:)`` gave; nil for any other file.
  func backup(at path: String) -> Backup? {
    opened.withLock { all in all.first { $0.path == path }?.backup }
  }

  /// The error with the path of a file as it was given, or with the name of a backup or an XML store instead of
  /// the path of its temporary file.
  func named(_ error: any Error) -> any Error {
    guard var error = error as? CofferError else { return error }
    for source in opened.withLock({ $0 }) {
      if let state = source.keeper as? BackupState { error = state.explained(error) }
    }
    let path = error.place.path
    let text = opened.withLock { all in all.first { $0.isTemporary && $0.path == path }?.text }
    error.place.path = text ?? Self.given(path)
    if error.code == .notFound, (try? BackupReference(path)) != nil {
      error.detail = "it is a backup in a vault, and a file is needed here"
      error.advice = [.sentence("To restore the store first: coffer import \(path) NAME.sqlite")]
    }
    return error
  }

  /// The argument that names a file, or the file next to it of which it is the beginning; else the path.
  ///
  /// A store is opened by its path without symbolic links, because its write-ahead log is next to it there.
  private static func given(_ path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/") else { return path }
    for argument in CommandLine.arguments.dropFirst() {
      guard let resolved = try? FileNames.resolve(argument), path.hasPrefix(resolved) else {
        continue
      }
      let ending = path.dropFirst(resolved.count)
      if ending.isEmpty || ending.hasPrefix("-") { return argument + ending }
    }
    return path
  }
}
