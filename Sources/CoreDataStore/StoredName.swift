package import CoreDataModel

/// The names of Core Data's own tables and columns.
///
/// Source: store-format, sections 1, 2, 5.7 and 7.
package enum StoredName {
  /// The column of the primary key, in the tables of objects and of the framework.
  package static let primaryKey = "Z_PK"
  /// The column of the version counter there.
  package static let version = "Z_OPT"
  /// The column of an entity's number, in the table of the counters.
  package static let entityNumber = "Z_ENT"
  /// The column of an entity's name there.
  package static let entityName = "Z_NAME"
  /// The column with the number of the superentity; 0 for none.
  package static let superentityNumber = "Z_SUPER"
  /// The column of the highest primary key that was handed out there.
  package static let highestKey = "Z_MAX"
  /// The column of the version of the store metadata.
  package static let metadataVersion = "Z_VERSION"
  /// The column of the store's UUID.
  package static let storeUUID = "Z_UUID"
  /// The column of the property list with the store metadata.
  package static let metadata = "Z_PLIST"
  /// The column of the copy of the model, in the table of it.
  package static let modelCacheContent = "Z_CONTENT"
  /// The table of the changes of the persistent history.
  package static let changes = "ACHANGE"
  /// The column of what happened to an object: 0 for inserted, 1 for updated, 2 for deleted.
  package static let changeType = "ZCHANGETYPE"
  /// The column of the number of the changed object's concrete entity.
  package static let changedEntity = "ZENTITY"
  /// The column of the changed object's primary key.
  package static let changedKey = "ZENTITYPK"
  /// The column of the primary key of the transaction that a change belongs to.
  package static let changeTransaction = "ZTRANSACTIONID"
  /// The table of the transactions of the persistent history.
  package static let transactions = "ATRANSACTION"
  /// The column of a transaction's time, in seconds since 2001.
  package static let transactionTime = "ZTIMESTAMP"
  /// The column of a change with the mask of the changed properties.
  package static let changedProperties = "ZCOLUMNS"
  /// The columns of a transaction with the primary key of a string, those with the string itself, and
  /// its meaning; older stores have only the second, newer ones leave them empty.
  package static let transactionTexts = [
    (column: "ZAUTHORTS", text: "ZAUTHOR", meaning: "author"),
    (column: "ZBUNDLEIDTS", text: "ZBUNDLEID", meaning: "bundle identifier"),
    (column: "ZCONTEXTNAMETS", text: "ZCONTEXTNAME", meaning: "context name"),
    (column: "ZPROCESSIDTS", text: "ZPROCESSID", meaning: "process identifier"),
  ]
  /// The table of the texts that transactions refer to.
  package static let transactionStrings = "ATRANSACTIONSTRING"
  /// The column of such a text.
  package static let transactionString = "ZNAME"

  /// The virtual table with the spatial index of an attribute.
  package static func spatialIndex(entity: Name, attribute: Name) -> String {
    "Z_RT_\(entity)_\(attribute)"
  }
  /// The table of an entity of the framework's own.
  package static func systemTable(ofEntity name: Name) -> String { "A" + name.text.uppercased() }
}
