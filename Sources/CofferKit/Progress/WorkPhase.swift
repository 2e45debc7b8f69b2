internal import CoreDataLayout

/// A part of long work that takes time of its own, by a stable name in kebab case.
///
/// Which phases a piece of work has, and in which order, depends on what it is and on the data: a store
/// without external binary data has no phase for them. New ones may be added in any version.
public enum WorkPhase: String, Sendable, Hashable, CaseIterable {
  /// A store is opened, or copied to a private place.
  case opening
  /// The tables of a damaged store are read for what is whole in them.
  case salvaging
  /// The objects are read or written.
  case objects
  /// The pairs of many-to-many relationships are.
  case relationships
  /// The rows of history, CloudKit mirroring and tables that the model does not explain are.
  case otherRows = "other-rows"
  /// The files of external binary data are.
  case externalData = "external-data"
  /// SQLite builds the indexes of a store.
  case indexes
  /// Every reference of a new store is checked.
  case references = "checking-references"
  /// SQLite checks the pages of a store; other phases go on meanwhile, and this is the wait for it.
  case pages = "checking-pages"
  /// What needs all objects is checked, such as the ends of relationships.
  case relations = "checking-relationships"
  /// The objects are asked for what would keep them from being migrated.
  case conditions = "checking-objects"
  /// What is complete is compressed to its end, synchronized, and moved to its place.
  case writing = "writing-to-disk"
  /// Folders are searched for stores.
  case files

  /// The phase in which rows of a table are worked on; nil for the few rows of Core Data's own tables.
  init?(_ shape: TableLayout) {
    switch shape.kind {
    case .entity: self = .objects
    case .relationship: self = .relationships
    case .metadata, .primaryKeys, .modelCache: return nil
    default: self = .otherRows
    }
  }
}
