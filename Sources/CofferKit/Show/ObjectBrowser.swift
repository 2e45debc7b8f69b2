internal import CoreDataArchive
public import CoreDataStore

/// Shows objects of a store or of an archive, without restoring anything.
///
/// ```swift
/// var query = ObjectQuery(entityName: "Person", condition: "birthday < '1900'")
/// query.followedRelationships = ["settings"]
/// try ObjectBrowser().show("Trips.coffer.tar.gz", query) { person in print(person.id) }
/// ```
///
/// Of an archive only the entries are read that can hold what is asked for: one object by its key
/// costs the same in an archive of any size.
public struct ObjectBrowser: Sendable {
  /// How a store is read.
  public var access: StoreAccess
  /// How an archive is read.
  public var archiveAccess: ArchiveAccess
  /// The model that the store or the archive must be of; nil for any.
  ///
  /// A store that has no copy of its model is shown with this one.
  public var model: LoadedModel?

  /// Creates a browser; the default access is safe in any app.
  public init(access: StoreAccess = .copy, archiveAccess: ArchiveAccess = ArchiveAccess()) {
    self.access = access
    self.archiveAccess = archiveAccess
  }

  /// Finds the objects that a query asks for.
  ///
  /// - Parameters:
  ///   - path: the store or the archive; which of both it is, its content tells.
  ///   - query: which objects.
  ///   - found: is given each object, in ascending order of primary keys; what it throws ends the work.
  /// - Returns: how many objects there were.
  /// - Throws: ``CofferError`` for an entity, an object or a property that is not there, and for a
  ///   condition that cannot be evaluated or compares a property with a constant of another type; as `StoreInspector.inspect(_:)` otherwise.
  @discardableResult
  public func show(
    _ path: String, _ query: ObjectQuery, found: (ShownObject) throws -> Void
  ) throws -> Int {
    var opening = SourceOpening(access: access, archiveAccess: archiveAccess)
    opening.model = model
    opening.blobLimit = ShownValue.treeLimit
    return try withoutActuallyEscaping(found) { found in
      try opening.open(path, for: Browsing(query: query, found: found))
    }
  }
}

private struct Browsing: SourceUse {
  let query: ObjectQuery
  let found: (ShownObject) throws -> Void

  func use(_ source: some RowSource) throws -> Int {
    try BrowserRun(source, query).complete(found)
  }
}
