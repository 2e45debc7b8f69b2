internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataLayout
package import CoreDataModel

extension Vault {
  /// Follows an object through all backups of its store on the caller's thread.
  @discardableResult
  package func history(
    of entityName: Name, primaryKey: Int64, in store: String? = nil,
    onEvent: (ObjectEvent) throws -> Void
  ) throws -> ObjectHistorySummary {
    let listing = try listing()
    let series = try find(BackupSelection(store: store)).series
    let backups = try backups().filter { $0.series == series }
    var summary = ObjectHistorySummary(backupCount: backups.count)
    var (previous, before) = (OpenedBackup?.none, Backup?.none)
    var (isThere, names) = (false, Set<Name>())
    let run = ComparisonRun(
      options: ComparisonOptions(includesValues: true, environment: environment.acceptingAnyModel),
      progress: progress)
    for backup in backups {
      try Task<Never, Never>.checkCancellation()
      defer { before = backup }
      guard before?.contentDigestPrefix != backup.contentDigestPrefix else { continue }
      // The object is what it was in the backup before.
      if let before, try !mayChange(entityName, primaryKey, from: before, to: backup) { continue }
      let opened = try open(backup, listing)
      let step = try run.open(
        previous?.path ?? opened.path, opened.path,
        for: ObjectStep(
          entityName: entityName, primaryKey: primaryKey, wasThere: isThere, backup: backup,
          previous: before))
      summary.readCount += 1
      (previous, isThere) = (opened, step.isThere)
      names.formUnion(step.entityNames)
      guard let event = step.event else { continue }
      summary.eventCount += 1
      try onEvent(event)
    }
    guard summary.eventCount == 0 else { return summary }
    guard names.contains(entityName) else {
      throw CofferError(
        .noSuchEntity, path: location, detail: entityName.text,
        advice: .chooseEntity(names.sorted()))
    }
    throw CofferError(.noSuchObject, path: location, detail: "\(entityName)/p\(primaryKey)")
  }

  /// Whether an object may differ between two backups, as far as the changes between them show: they are
  /// small, and a whole state need not be put together.
  private func mayChange(
    _ entityName: Name, _ primaryKey: Int64, from before: Backup, to backup: Backup
  ) throws -> Bool {
    guard backup.kind == .changes, backup.name.base == before.name.content else { return true }
    let files = try VaultFiles(of: self)
    defer { withExtendedLifetime(files) {} }
    return try ChangesFile(path: files.path(of: backup), environment: environment)
      .mayChange(entityName, primaryKey)
  }
}

extension ChangesFile {
  /// Whether the changes can make a difference to an object: to its row, or to its to-many relationships.
  ///
  /// A change of any object that a to-many relationship can lead to counts, unless pairs show the references,
  /// because only the old state shows the object that it left.
  fileprivate func mayChange(_ entityName: Name, _ primaryKey: Int64) throws -> Bool {
    let model = documents.model
    guard let root = model.root(of: entityName)?.name else { return true }
    var destinations: Set<Name> = []
    for entity in model.tree(of: entityName) {
      for relationship in model.allRelationships(of: entity.name)
      where relationship.isToMany && model.inverse(of: relationship)?.relationship.isToMany != true
      {
        guard let other = model.root(of: relationship.destinationName) else { return true }
        destinations.insert(other.name)
      }
    }
    for shape in documents.layout.tables {
      let isRelevant: (RowKey) -> Bool
      switch shape.kind {
      case .entity where destinations.contains(shape.entityName ?? ""):
        isRelevant = { _ in true }
      case .entity where shape.entityName == root:
        isRelevant = { $0.first.integer == primaryKey }
      case .relationship:
        isRelevant = { ([$0.first] + $0.rest).contains { $0.integer == primaryKey } }
      default: continue
      }
      if try hasChange(of: shape, where: isRelevant) { return true }
    }
    return false
  }

  private func hasChange(
    of shape: TableLayout, where isRelevant: (RowKey) -> Bool
  ) throws -> Bool {
    let changes = ChangeCursor(shape, of: self)
    while try changes.next() != nil {
      // Without a key, it may be any row.
      guard let key = changes.key, !isRelevant(key) else { return true }
    }
    return false
  }
}
