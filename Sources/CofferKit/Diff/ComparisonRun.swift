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
    try open(first, second) { first, second in
      try withoutActuallyEscaping(onDifference) { onDifference in
        let tables = TableComparison(
          first, second, options: options, progress: progress,
          onDifference: { difference in
            // What was read of a store that changes may be a difference of two moments.
            try first.objects.requireUnchanged()
            try second.objects.requireUnchanged()
            try onDifference(difference)
          })
        return try tables.complete()
      }
    }
  }

  /// Opens both sources for the time of a closure.
  func open<Result>(
    _ first: String, _ second: String,
    _ body: (any ComparisonSide, any ComparisonSide) throws -> Result
  ) throws -> Result {
    try open(first) { first in try open(second) { second in try body(first, second) } }
  }

  private func open<Result>(
    _ path: String, _ body: (any ComparisonSide) throws -> Result
  ) throws -> Result {
    switch try SourceKind(ofFileAt: path) {
    case .store:
      progress.report(WorkProgress(.opening))
      let store = try PersistentStore(readingFrom: path, access: options.access)
      let result = try store.use { database in try body(try StoreSide(store, database)) }
      try store.requireInPlace()
      return result
    case .archive: return try body(try ArchiveSide(path: path, access: options.archiveAccess))
    }
  }
}
