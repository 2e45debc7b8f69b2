internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A reference of an object to a file of external binary data.
package struct ExternalReference: Sendable {
  /// The name of the file.
  package let file: ExternalFileName
  let column: Int32
  var primaryKey: Int64
  var entityNumber: Int64

  /// Parses the 36 characters of an upper-case UUID and their final NUL; nil for anything else.
  package init?(
    _ bytes: UnsafeRawBufferPointer, column: Int32, primaryKey: Int64, entityNumber: Int64
  ) {
    guard bytes.count == 37, unsafe bytes[36] == 0,
      let file = unsafe ExternalFileName(UnsafeRawBufferPointer(rebasing: bytes[..<36]))
    else { return nil }
    self.file = file
    self.column = column
    self.primaryKey = primaryKey
    self.entityNumber = entityNumber
  }

  /// The file name, an upper-case UUID.
  package var fileName: String { file.text }

  /// The finding that the file is not there.
  ///
  /// Links are those among the files of the store, by their paths.
  func missingFinding(
    in table: TableLayout, _ entities: NumberedEntities, links: Set<String> = []
  ) -> Finding {
    let entity = entities.names[entityNumber] ?? table.entityName ?? ""
    return Finding(
      .missingExternalData,
      objectID: ManagedObjectID(entityName: entity, primaryKey: primaryKey),
      propertyName: table.propertyName(Int(column)),
      detail: Self.detail(of: fileName, links: links))
  }

  /// The name of a missing file, with the link that hides it, if any.
  static func detail(of name: String, links: Set<String>) -> String {
    let folder = StorePaths.externalDataFolderName
    guard let link = [".", folder, "\(folder)/\(name)"].first(where: links.contains) else {
      return name
    }
    return "\(name): \(link == "." ? "the support folder" : link) is a symbolic link, which is not "
      + "followed"
  }
}
