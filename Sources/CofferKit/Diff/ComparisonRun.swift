internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// One comparison from the first difference to the summary.
struct ComparisonRun {
  let options: ComparisonOptions
  let progress: any ProgressReporter

  /// Opens both sources and compares them.
  func compare(
    _ first: String, _ second: String, _ onDifference: (Difference) throws -> Void
  ) throws -> ComparisonSummary {
    try open(first) { first in
      try open(second) { second in
        try withoutActuallyEscaping(onDifference) { onDifference in
          let tables = TableComparison(
            first, second, options: options, progress: progress, onDifference: onDifference)
          return try tables.complete()
        }
      }
    }
  }

  private func open(
    _ path: String, _ body: (any ComparisonSide) throws -> ComparisonSummary
  ) throws -> ComparisonSummary {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      let store = try PersistentStore(readingFrom: path, access: options.access)
      return try store.use { database in try body(try StoreSide(store, database)) }
    case .archive: return try body(try ArchiveSide(path: path))
    }
  }
}
