package import CofferCore
package import CoreDataArchive
internal import CoreDataStore

/// Shows objects of a store or of an archive, without restoring anything.
///
/// ```swift
/// var query = ObjectQuery(entityName: "Person", condition: "birthday < '1900'")
/// query.followedRelationships = ["settings"]
/// try ObjectBrowser().show("Trips.coffer.tar.gz", query) { person in print(person.id) }
/// ```
///
/// Only those entries of an archive are read that can contain the requested objects: one object by its
/// key costs the same in an archive of any size. For a condition that involves other objects, the
/// archive is restored to the temporary folder.
package struct ObjectBrowser: Sendable {
  /// The environment for reading the store or archive.
  package var environment: WorkEnvironment

  /// Creates a browser; the default access is safe in any app.
  package init(environment: WorkEnvironment = WorkEnvironment()) { self.environment = environment }

  /// Finds the objects of a query.
  ///
  /// - Parameters:
  ///   - path: the store or the archive, recognized by its content.
  ///   - query: which objects.
  ///   - found: receives each object, in the order of the query; an error from it ends the work.
  /// - Returns: the number of objects.
  /// - Throws: ``CofferError`` for an entity, an object or a property that does not exist, and for a
  ///   condition that cannot be evaluated or compares a property with a constant of another type;
  ///   otherwise the errors of `StoreInspector.inspect(_:)`.
  @discardableResult
  package func show(
    _ path: String, _ query: ObjectQuery, found: (ShownObject) throws -> Void
  ) throws -> Int {
    try withoutActuallyEscaping(found) { found in
      try browse(path, Browsing(query: query, work: .objects(found))).count
    }
  }

  /// Counts the objects of a query by their values of some properties.
  ///
  /// - Parameters:
  ///   - path: the store or the archive.
  ///   - query: the objects; its order and its followed relationships are ignored.
  ///   - properties: names of attributes and to-one relationships; without any, there is at most one group.
  /// - Returns: the groups, in the order of their values.
  /// - Throws: as `show(_:_:found:)`.
  package func groups(
    _ path: String, _ query: ObjectQuery, by properties: [Name]
  ) throws -> [ObjectGroup] {
    try browse(path, Browsing(query: query, work: .groups(properties))).groups
  }

  /// Writes the bytes of an attribute of one object to a file or pipe: binary data, a transformable value or
  /// a text, as stored.
  ///
  /// - Parameters:
  ///   - path: the store or the archive.
  ///   - query: the object, by its primary key.
  ///   - attribute: the name of the attribute, with elements of a composite one after dots.
  ///   - destination: the file, which appears only when it is complete, or the pipe.
  /// - Returns: the written file.
  /// - Throws: the errors of `show(_:_:found:)`; ``CofferError``: `no-such-property` for an attribute
  ///   without bytes; `nothing-chosen` if it has no value; `not-found` if its external file is missing;
  ///   `output-exists`, `write-failed`. A failed run leaves no file.
  package func extract(
    _ path: String, _ query: ObjectQuery, _ attribute: Name, to destination: ArchiveDestination
  ) throws -> ExtractionSummary {
    let output = try ArchiveOutput(destination)
    defer { output.abandon() }
    let extraction = ValueExtraction(of: attribute, to: .output(output))
    _ = try browse(path, Browsing(query: query, work: .values(extraction)))
    try output.commit()
    return extraction.summary
  }

  /// Writes the bytes of attributes of all objects of a query to files in a folder, such as
  /// `Person-p7.photo.png`.
  ///
  /// - Parameters:
  ///   - path: the store or the archive.
  ///   - query: the objects, in any order.
  ///   - attribute: the name of the attribute; nil for all of the types Binary Data and Transformable.
  ///   - folder: the folder, which appears only when it is complete.
  ///   - isReplacing: whether an earlier output is replaced.
  ///   - isRecognizing: whether files get an extension that suits their content instead of `bin`.
  /// - Returns: the number of written files and of missing external files.
  /// - Throws: the errors of `show(_:_:found:)` and ``OutputFolder``; a failed run leaves no
  ///   folder.
  package func extractAll(
    _ path: String, _ query: ObjectQuery, _ attribute: Name?, to folder: String,
    replacing isReplacing: Bool, recognizing isRecognizing: Bool
  ) throws -> ExtractionSummary {
    let folder = try OutputFolder(at: folder, replacing: isReplacing)
    defer { folder.abandon() }
    let extraction = ValueExtraction(
      of: attribute, to: .folder(folder, recognizing: isRecognizing))
    _ = try browse(path, Browsing(query: query, work: .values(extraction)))
    try folder.commit()
    return extraction.summary
  }

  /// Answers a query; restores an archive first if only a store can answer it.
  private func browse(_ path: String, _ browsing: Browsing) throws -> Browsing.Answer {
    var opening = SourceOpening(environment)
    opening.blobLimit = ShownValue.treeLimit
    if let result = try opening.open(path, for: browsing) { return result }
    try environment.requireFile(at: path)
    let restored = try ImportedStore(path, environment, progress: SilentProgress())
    do {
      return try opening.open(restored.store.path, for: browsing) ?? Browsing.Answer()
    } catch let error as CofferError {
      throw restored.named(error)
    }
  }
}

private struct Browsing: SourceUse {
  enum Work {
    case objects((ShownObject) throws -> Void)
    case groups([Name])
    case values(ValueExtraction)
  }

  struct Answer {
    var count = 0
    var groups: [ObjectGroup] = []
  }

  let query: ObjectQuery
  let work: Work

  /// The answer; nil if only a store can give it.
  func use(_ source: some RowSource) throws -> Answer? {
    let run = try BrowserRun(source, query)
    guard run.isPossible else { return nil }
    switch work {
    case .objects(let found): return Answer(count: try run.complete(found))
    case .groups(let names): return Answer(groups: try run.groups(by: names))
    case .values(let extraction): return Answer(count: try extraction.complete(run, source))
    }
  }
}
