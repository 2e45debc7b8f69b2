internal import CoreDataArchive
internal import CoreDataModel

/// An archive as a source of objects.
struct ArchiveObjects: ObjectSource {
  private let archive: OpenArchive

  init(_ archive: OpenArchive) { self.archive = archive }

  var path: String { archive.path }
  var model: ManagedObjectModel { archive.documents.model }
  var shapes: [TableLayout] { archive.documents.layout.tables }

  func reader(of shape: TableLayout, keys: ClosedRange<Int64>?) -> any PartReader {
    ArchivePartReader(shape, of: archive, keys: keys)
  }

  func requireUnchanged() {}
}
