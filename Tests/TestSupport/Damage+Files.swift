internal import Foundation

extension Damage {
  private static func removeExternal(_ path: String, _ number: Int) throws {
    let files = StoreFiles(path)
    let name = files.externalFileNames[number]
    try FileManager.default.removeItem(atPath: "\(files.externalDataFolder)/\(name)")
  }

  /// The file of an external value is gone.
  package static let missingExternalFile = Damage(
    "missing-external-file", "the file of AttachmentEntity/p4.content is gone"
  ) { try removeExternal($0, 0) }
  /// The folder with the files of all external values is gone: two problems.
  package static let missingExternalFolder = Damage(
    "missing-external-folder", "the folder with all external files is gone"
  ) { try FileManager.default.removeItem(atPath: StoreFiles($0).supportFolder) }
  /// There is an external file that nothing refers to.
  package static let orphanExternalFile = Damage(
    "orphan-external-file", "there is an external file to which nothing refers"
  ) {
    let name = "DEADBEEF-0000-4000-8000-000000000000"
    let url = URL(fileURLWithPath: "\(StoreFiles($0).externalDataFolder)/\(name)")
    try Data([1, 2, 3]).write(to: url)
  }
  /// An external file has no bytes.
  package static let emptyExternalFile = Damage(
    "empty-external-file", "the file of AttachmentEntity/p4.content is empty"
  ) {
    let files = StoreFiles($0)
    let path = "\(files.externalDataFolder)/\(files.externalFileNames[0])"
    try Data().write(to: URL(fileURLWithPath: path))
  }
  /// There is a link among the external files; no archive contains it.
  package static let externalLink = Damage(
    "external-link", "there is a link among the external files"
  ) {
    try FileManager.default.createSymbolicLink(
      atPath: "\(StoreFiles($0).externalDataFolder)/link", withDestinationPath: "/nowhere")
  }
  /// There is a copy of the store next to it; no archive contains it.
  package static let strayCopy = Damage("stray-copy", "a copy of the store lies beside it") {
    try FileManager.default.copyItem(atPath: $0, toPath: $0 + ".bak")
  }
  /// Two external values refer to one file.
  package static let sharedExternalFile = Damage(
    "shared-external-file", "AttachmentEntity/p1.content refers to the file of another",
    sql: """
      UPDATE ZATTACHMENTENTITY SET ZCONTENT =
      (SELECT ZCONTENT FROM ZATTACHMENTENTITY WHERE Z_PK = 4) WHERE Z_PK = 1
      """)
  /// An external value begins with a mark that there is not.
  package static let unknownExternalMark = Damage(
    "unknown-external-mark", "AttachmentEntity/p1.content begins with the byte 7",
    sql: "UPDATE ZATTACHMENTENTITY SET ZCONTENT = x'07414243' WHERE Z_PK = 1")
  /// A reference to an external file is truncated.
  package static let cutExternalReference = Damage(
    "cut-external-reference", "the reference of AttachmentEntity/p1.content is cut off",
    sql: "UPDATE ZATTACHMENTENTITY SET ZCONTENT = x'02304631453244' WHERE Z_PK = 1")
  /// A reference to an external file leads out of the folder.
  package static let escapingExternalReference = Damage(
    "escaping-external-reference", "AttachmentEntity/p1.content refers to a file elsewhere",
    sql: """
      UPDATE ZATTACHMENTENTITY SET ZCONTENT =
      CAST(x'02' || '../../../../../../../../../etc/passwd' || x'00' AS BLOB) WHERE Z_PK = 1
      """)
  /// An external value has no bytes, not even a mark.
  package static let emptyExternalValue = Damage(
    "empty-external-value", "AttachmentEntity/p1.content has no mark",
    sql: "UPDATE ZATTACHMENTENTITY SET ZCONTENT = x'' WHERE Z_PK = 1")

  static let externalData = [
    missingExternalFile, missingExternalFolder, orphanExternalFile, emptyExternalFile,
    externalLink, strayCopy, sharedExternalFile, unknownExternalMark, cutExternalReference,
    escapingExternalReference, emptyExternalValue,
  ]
}
