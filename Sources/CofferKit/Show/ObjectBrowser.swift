internal import CoreDataArchive

/// Shows objects of a store or of an archive, without restoring anything.
///
/// ```swift
/// var query = ObjectQuery(entityName: "Person", condition: "birthday < '1900'")
/// query.followedRelationships = ["settings"]
/// try ObjectBrowser().show("Trips.coffer.tar.gz", query) { person in print(person.id) }
/// ```
///
/// Of an archive only the entries are read that can hold what is asked for: one object by its key
/// costs the same in an archive of any size. For a condition on other objects than those that are asked
/// for, an archive is restored to the temporary folder.
public struct ObjectBrowser: Sendable {
  /// How the store or archive is read.
  public var access: SourceAccess

  /// Creates a browser; the default access is safe in any app.
  public init(access: SourceAccess = SourceAccess()) { self.access = access }

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
    var opening = SourceOpening(access: access)
    opening.blobLimit = ShownValue.treeLimit
    return try withoutActuallyEscaping(found) { found in
      let browsing = Browsing(query: query, found: found)
      if let count = try opening.open(path, for: browsing) { return count }
      let restored = try ImportedStore(path, access.archive, progress: SilentProgress())
      do {
        return try opening.open(restored.store.path, for: browsing) ?? 0
      } catch let error as CofferError {
        throw restored.named(error)
      }
    }
  }
}

private struct Browsing: SourceUse {
  let query: ObjectQuery
  let found: (ShownObject) throws -> Void

  /// How many objects there were; nil where only a store can tell.
  func use(_ source: some RowSource) throws -> Int? {
    let run = try BrowserRun(source, query)
    return run.isPossible ? try run.complete(found) : nil
  }
}
