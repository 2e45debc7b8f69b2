package import CofferCore
package import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The contents of the external binary data files of two sources, by the names that objects refer
/// to.
package final class ExternalContents {
  private let loadNames: [() throws -> [Name: SupportFolder.File]]
  private let makeDigest: [(SupportFolder.File) throws -> ArchiveDigest]
  private var files: [[Name: SupportFolder.File]?] = [nil, nil]

  package init(_ first: some RowSource, _ second: some RowSource) {
    loadNames = [{ try Self.names(first) }, { try Self.names(second) }]
    makeDigest = [{ try first.digest(of: $0) }, { try second.digest(of: $0) }]
  }

  /// The digest of the content of a value with external storage.
  ///
  /// - Parameters:
  ///   - rows: the source's rows, at the row of the value.
  ///   - column: the column, with a blob.
  ///   - side: the source.
  /// - Returns: nil if the value has neither form, or its file does not exist.
  /// - Throws: errors from the source.
  package func digest(of rows: some RowCursor, _ column: Int, on side: SourceSide) throws
    -> ArchiveDigest?
  {
    switch rows.row.firstByte(column) {
    case 1: return try rows.digest(of: column, from: 1)
    case 2:
      guard let bytes = unsafe rows.row.payload(column),
        let reference = unsafe ExternalReference(
          bytes, column: 0, primaryKey: 0, entityNumber: 0)
      else { return nil }
      let names = try files[side.rawValue] ?? loadNames[side.rawValue]()
      files[side.rawValue] = names
      return try names[Name(reference.fileName)].map { try makeDigest[side.rawValue]($0) }
    default: return nil
    }
  }

  private static func names(_ source: some RowSource) throws -> [Name: SupportFolder.File] {
    var names: [Name: SupportFolder.File] = [:]
    for file in try source.files() {
      if let name = file.externalName { names[Name(name)] = file }
    }
    return names
  }
}
