internal import CoreDataLayout
internal import CoreDataStore

/// A table to be exported: how it is written and how it is read.
struct TableSource {
  /// How its lines look.
  var shape: TableLayout
  /// How its rows are read.
  var plan: RowPlan
}
