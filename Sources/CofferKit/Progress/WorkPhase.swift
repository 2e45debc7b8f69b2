internal import CoreDataLayout

/// A phase of long work, with a stable name in kebab case.
///
/// Which phases occur, and in which order, depends on the work and the data: a store without
/// external binary data has no phase for it. Any version may add new ones.
public enum WorkPhase: String, Sendable, Hashable, CaseIterable {
  /// A store is opened, or copied to a private place.
  case opening
  /// The intact parts of a damaged store are read table by table.
  case salvaging
  /// The objects are read or written.
  case objects
  /// The pairs of many-to-many relationships are read or written.
  case relationships
  /// The rows of history, CloudKit mirroring and unexplained tables are read or written.
  case otherRows = "other-rows"
  /// The files of external binary data are read or written.
  case externalData = "external-data"
  /// SQLite builds the indexes of a store.
  case indexes
  /// Every reference of a new store is checked.
  case references = "checking-references"
  /// SQLite checks the pages of a store beside other phases; this is the wait for it.
  case pages = "checking-pages"
  /// Checks that need all objects run, such as that of the ends of relationships.
  case relations = "checking-relationships"
  /// The objects are checked for anything that prevents a migration.
  case conditions = "checking-objects"
  /// The output is compressed, synchronized, and moved into place.
  case writing = "writing-to-disk"
  /// Folders are searched for stores.
  case files

  /// The phase for rows of a table; nil for the few rows of Core Data's own tables.
  init?(_ shape: TableLayout) {
    switch shape.kind {
    case .entity: self = .objects
    case .relationship: self = .relationships
    case .metadata, .primaryKeys, .modelCache: return nil
    default: self = .otherRows
    }
  }
}
