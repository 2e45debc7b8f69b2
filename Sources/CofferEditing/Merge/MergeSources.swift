internal import CofferCore
internal import CofferTables
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// The other store of a merge and the base, from any kind of source.
struct MergeSources {
  let other: ImportedStore
  /// The tables from which the other store is made; nil for any other source.
  let tables: TableState?
  /// The state that both stores come from; nil if it is unknown.
  let base: ImportedStore?
  /// Whether both are the store itself, with the states that changes record.
  let isRecalled: Bool

  /// Opens or makes both.
  ///
  /// A change file as the other store means the base with the changes. Without a base, it means the
  /// store with the recorded values after the changes, compared with the store with the recorded values
  /// before them. As the base, it means the other store without the changes.
  ///
  /// - Throws: ``CofferError``: `incompatible-choices` if both are change files, or for tables with
  ///   a base, `wrong-state` if changes do not fit their state; errors from reading and writing;
  ///   `CancellationError`.
  init(
    _ other: String, base: String?, into store: PersistentStore, _ options: MergeOptions,
    progress: any ProgressReporter
  ) throws {
    let environment = options.environment
    if MergeOptions.isTables(other) {
      guard base == nil else {
        throw CofferError(
          .incompatibleChoices, path: other,
          detail: "tables have no base: they do not record changes and deletions")
      }
      var state: TableState?
      self.other = try ImportedStore(other, environment) { copy in
        state = try TableState(other, for: store, at: copy, options, progress: progress)
      }
      tables = state
      self.base = nil
      isRecalled = false
      return
    }
    tables = nil
    guard options.tables == SheetOptions() else {
      throw CofferError(
        .incompatibleChoices, path: other,
        detail: "options for tables are given, but it is neither a folder nor a CSV or NDJSON file")
    }
    let otherIsChanges = try Self.holdsChanges(other, environment)
    let baseIsChanges = try base.map { try Self.holdsChanges($0, environment) } ?? false
    func opened(_ path: String) throws -> ImportedStore {
      let state = try ImportedStore(path, environment, progress: progress)
      try state.store.requireSoundPages()
      return state
    }
    /// A state with changes, or without them.
    func changed(
      _ state: ImportedStore, by changes: String, isReversed: Bool
    ) throws -> ImportedStore {
      var applier = ChangesApplier(progress: progress)
      applier.options.environment = environment
      applier.options.isReversed = isReversed
      // Only a temporary copy changes.
      applier.options.editing.allowsMirrored = true
      return try ImportedStore(changes, environment) { copy in
        do {
          try applier.apply(changes, to: state.store.path, at: copy)
        } catch let error as CofferError {
          throw state.named(error)
        }
      }
    }
    isRecalled = otherIsChanges && base == nil
    switch (otherIsChanges, baseIsChanges) {
    case (false, false):
      self.other = try opened(other)
      self.base = try base.map(opened)
    case (true, true):
      throw CofferError(
        .incompatibleChoices, path: other,
        detail: "it and the base are change files, so no state of the store is given",
        advice: "Give a store or an archive as one of them.")
    case (false, true):
      let second = try opened(other)
      self.other = second
      self.base = try base.map { try changed(second, by: $0, isReversed: true) }
    case (true, false):
      if let base {
        let first = try opened(base)
        self.base = first
        self.other = try changed(first, by: other, isReversed: false)
      } else {
        (self.other, self.base) = try Self.recalled(other, in: store, options)
      }
    }
  }

  private static func holdsChanges(
    _ path: String, _ environment: WorkEnvironment
  ) throws(CofferError) -> Bool {
    guard try SourceKind(ofFileAt: path) != .store else { return false }
    do throws(CofferError) {
      _ = try OpenArchive(path: path, environment: environment)
      return false
    } catch {
      guard error.isAboutChanges else { throw error }
      return true
    }
  }

  /// The states of a store after and before changes, as far as they record them.
  private static func recalled(
    _ changes: String, in store: PersistentStore, _ options: MergeOptions
  ) throws -> (other: ImportedStore, base: ImportedStore) {
    let environment = options.environment
    func state(isReversed: Bool) throws -> (store: ImportedStore, lowestAdded: [Name: Int64]) {
      let file = try ChangesFile(path: changes, environment: environment, isReversed: isReversed)
      var state = try RecalledState(file, in: store)
      let made = try ImportedStore(changes, environment) { copy in
        try state.write(to: copy)
        guard options.policy?.prefersOther == true, let object = state.partialObject else { return }
        throw CofferError(
          .wrongState, path: changes, item: object,
          detail:
            "the store no longer has it, and the changes record only some of its values",
          advice: "Give the state that the changes begin with as the base, or let the store win.")
      }
      return (made, state.lowestAdded)
    }
    let (other, lowestAdded) = try state(isReversed: false)
    let base = try state(isReversed: true).store
    for (entity, key) in lowestAdded.sorted(by: { $0.key < $1.key }) {
      let row = store.layout.numbering.number(of: entity).flatMap { base.store.registry.row($0) }
      guard let counter = row?.maximumPrimaryKey.integer, key <= counter else { continue }
      throw CofferError(
        .wrongState, path: changes, item: "\(entity)/p\(key)",
        detail: "the changes add an object with a used key, so they undo a deletion",
        advice: "Apply them to the state that they begin with.")
    }
    return (other, base)
  }
}
