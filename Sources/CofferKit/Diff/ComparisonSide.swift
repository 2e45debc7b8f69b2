internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// One of the two sources of a comparison, in the form of what an archive of it holds.
protocol ComparisonSide {
  var kind: SourceKind { get }
  /// Its tables.
  var objects: any ObjectSource { get }
  var schema: SchemaDocument { get }
  /// How many objects there are at most, for progress.
  var estimatedObjectCount: Int { get }

  func metadata() throws -> StoreMetadata

  /// The digests of all entries of a table; nil where they would have to be computed.
  func digests(of shape: TableLayout) -> [String: ArchiveDigest]?

  /// How many objects of a table there are, where that is known without reading it.
  func objectCount(of shape: TableLayout) -> Int?

  /// The files of the support folder, in any order.
  func files() throws -> [ComparedFile]

  func digest(of file: ComparedFile) throws -> ArchiveDigest
}

extension ComparisonSide {
  var path: String { objects.path }
  var model: ManagedObjectModel { objects.model }
  var shapes: [TableLayout] { objects.shapes }
}

/// A file of the support folder.
struct ComparedFile {
  /// The path from the support folder, its components in order.
  var components: [String]
  /// How many bytes it has.
  var size: Int

  /// The name for people: that by which objects refer to it, or the path.
  var name: String {
    components.count == 2 && components[0] == StorePaths.externalDataFolderName
      ? components[1] : components.joined(separator: "/")
  }
}
