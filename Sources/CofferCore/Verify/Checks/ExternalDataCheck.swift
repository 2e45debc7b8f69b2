internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks external binary data: the files and the values that refer to them.
final class ExternalDataCheck: Check {
  static let name = CheckName.externalData
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext
  private let files: ExternalFiles
  private var topic: UInt32 = 0

  init(_ context: VerificationContext) {
    self.context = context
    files = ExternalFiles(context)
  }

  func prepare() throws { topic = context.topic(files) }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .entity else { return nil }
    let columns = table.shape.fields.indices.compactMap { ExternalColumn(table, $0) }
    if columns.isEmpty { return nil }
    let ranked = columns.map { (rank: files.rank(of: $0), column: $0) }
    return ExternalValueVisitor(ranked, topic: topic, context)
  }

  func rowsDone() throws {
    for irregular in context.irregularFiles {
      try context.report(Finding(.irregularExternalData, detail: irregular.description))
    }
    for name in context.unknownCompanions {
      try context.report(Finding(.unknownCompanion, detail: name))
    }
    for file in context.supportFiles {
      // Other files in the support folder do not belong to objects.
      guard file.components.first == StorePaths.externalDataFolderName else { continue }
      if let name = file.externalName.flatMap(ExternalFileName.init) {
        try context.sorter.append(
          ExternalFiles.record(topic: topic, rank: 0, file: name, second: Int64(file.size)))
      } else {
        try context.report(Finding(.orphanedExternalData, detail: file.path))
      }
    }
  }
}
