internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Reads a change file as differences.
struct ChangesInspection {
  private let file: ChangesFile
  private let source: ArchiveRowSource
  private let options: ComparisonOptions
  private let onDifference: (Difference) throws -> Void

  init(
    _ file: ChangesFile, includesValues: Bool, onDifference: @escaping (Difference) throws -> Void
  ) {
    self.file = file
    source = ArchiveRowSource(file.archive)
    options = ComparisonOptions(includesValues: includesValues)
    self.onDifference = onDifference
  }

  func run() throws -> ChangesSummary {
    var summary = ChangesSummary()
    summary.digest = file.archive.file.index.rootDigest.hex
    summary.byteCount = try file.archive.byteCount()
    for shape in file.documents.layout.tables {
      try Task<Never, Never>.checkCancellation()
      let counts = try read(shape)
      summary.add(counts, of: shape, file.documents.layout.entities)
    }
    for rows in summary.differences.tables { try onDifference(.rows(rows)) }
    for file in file.files {
      summary.add(file)
      try onDifference(
        .externalData(
          FileDifference(
            kind: file.kind,
            name: SupportFolder.File(components: file.components, size: 0).externalName
              ?? file.name.text,
            oldByteCount: file.before?.size, newByteCount: file.after?.size)))
    }
    summary.add(file.states, of: file.documents.manifest)
    return summary
  }

  /// Reads only the tables that can have objects of some entities.
  func readObjects(of selection: EntitySelection) throws {
    for shape in file.documents.layout.tables where shape.kind == .entity {
      let tree = file.documents.model.tree(of: shape.entityName ?? "").map(\.name)
      guard tree.isEmpty || tree.contains(where: selection.contains) else { continue }
      try Task<Never, Never>.checkCancellation()
      _ = try read(shape)
    }
  }

  private func read(_ shape: TableLayout) throws -> [Int64?: ComparisonSummary.Counts] {
    let match = TableMatching.Match(first: shape, second: shape)
    let rows = RowComparison(match, source, source)
    switch shape.kind {
    case .entity:
      return try read(
        shape,
        ObjectHandler(rows: rows, options: options, paths: (file.path, file.path)) {
          try onDifference(.object($0))
        })
    case .relationship:
      return try read(
        shape,
        PairHandler(
          rows, entityName: shape.entityName ?? "", relationshipName: shape.relationshipName ?? ""
        ) { try onDifference(.pair($0)) })
    default:
      return try read(shape, RowCountHandler(rows, isUnordered: false))
    }
  }

  private func read(
    _ shape: TableLayout, _ handler: some RowHandler
  ) throws -> [Int64?: ComparisonSummary.Counts] {
    var handler = CountingHandler(handler, shape)
    try file.read(shape, &handler)
    return handler.counts
  }
}
