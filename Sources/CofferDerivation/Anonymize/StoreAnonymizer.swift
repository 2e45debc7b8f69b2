public import CofferCore
internal import CofferTables
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// Creates a small, sound, anonymized copy of a store to give to others.
///
/// ```swift
/// var options = AnonymizationOptions()
/// options.objects = [ManagedObjectID(entityName: "Trip", primaryKey: 7)]
/// options.closure = .toOne
/// try await StoreAnonymizer(options: options).anonymize("Trips.sqlite", to: "Bug.sqlite")
/// ```
///
/// By default, every text, blob, URI, UUID, transformable value, external file, coordinate and number is
/// replaced, and all dates are shifted. Whole numbers below 1,000 are kept; the summary names their
/// attributes, and docs/sharing.md lists what else is kept. The result appears only when it is complete.
public struct StoreAnonymizer: Sendable {
  /// The options.
  public var options: AnonymizationOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates an anonymizer with options and a receiver of its progress.
  public init(
    options: AnonymizationOptions = AnonymizationOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Writes an anonymized copy on the caller's thread.
  @discardableResult
  package func anonymize(
    _ source: String, to target: String, as form: AnonymizationTarget = .store,
    explained: ((AnonymizedObject) throws -> Void)? = nil
  ) throws -> AnonymizationSummary {
    let imported = try ImportedStore(
      source, options.environment.acceptingAnyModel, progress: progress)
    defer { withExtendedLifetime(imported) {} }
    func write(to target: String) throws -> AnonymizationSummary {
      try imported.store.readingAgainIfChanged { store in
        try store.requireSoundPages()
        return try self.write(
          store.fitted(to: options.environment.model), source, to: target, explained)
      }
    }
    do {
      if form == .store { return try write(to: target) }
      let folder = try WorkFolder(for: .share, in: options.environment.temporaryFolder)
      defer { withExtendedLifetime(folder) {} }
      let path = try folder.makeFolder("shared") + "/share.sqlite"
      let summary = try write(to: path)
      try passOn(to: target, form, from: path)
      return summary
    } catch let error as CofferError {
      throw imported.named(error)
    }
  }

  private func passOn(to target: String, _ form: AnonymizationTarget, from path: String) throws {
    switch form {
    case .store: break
    case .archive:
      var exporting = ExportOptions()
      exporting.compression = ArchiveCompression(fileName: target) ?? .gzip
      try StoreExporter(options: exporting, progress: progress)
        .export(storeAt: path, to: .file(target, overwriting: options.overwriting))
    case .tables(let format):
      _ = try DataExporter(
        options: DataExportOptions(format: format, overwriting: options.overwriting),
        progress: progress
      ).write(path, to: target)
    }
  }

  /// Writes a store; writes it again with all objects of the entities concerned if it does not have a
  /// finding.
  private func write(
    _ store: PersistentStore, _ source: String, to target: String,
    _ explained: ((AnonymizedObject) throws -> Void)?
  ) throws -> AnonymizationSummary {
    var missing: FindingCode?
    for isWide in [false, true] {
      let placement = try StorePlacement(path: target, isReplacing: options.overwriting)
      defer { placement.abandon() }
      let run = try AnonymizationRun(
        store, options, path: source, isWide: isWide, progress: progress)
      let summary = try run.write(to: placement.working, place: target, explained)
      missing = options.findings.first { summary.findings[$0] == nil }
      guard missing != nil else {
        try Task<Never, Never>.checkCancellation()
        try placement.commit()
        return summary
      }
    }
    throw CofferError(
      .refused, path: source,
      detail: "a part of it does not reproduce the finding \(missing?.text ?? "")",
      advice: "Anonymize the whole store.")
  }
}

extension StoreAnonymizer {
  /// Writes an anonymized copy.
  ///
  /// - Parameters:
  ///   - source: a store or an archive, recognized by content.
  ///   - target: where the result appears.
  ///   - form: its form.
  /// - Returns: the summary of the result.
  /// - Throws: ``CofferError``: `no-such-entity`, `no-such-object`, `no-such-property`,
  ///   `invalid-condition`, `nothing-chosen` and `incompatible-choices` for choices that the source does
  ///   not allow; `unknown-store-model` for some objects of a store without a model; `refused` if the
  ///   result would not have a requested finding; errors from reading and writing.
  ///   `CancellationError`.
  @discardableResult
  public func anonymize(
    _ source: String, to target: String, as form: AnonymizationTarget = .store
  ) async throws -> AnonymizationSummary {
    try await BackgroundWork.run(progress) { try anonymize(source, to: target, as: form) }
  }
}
