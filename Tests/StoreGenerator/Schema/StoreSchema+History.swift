package import CoreDataModel

extension StoreSchema {
  /// The number of columns that keep values of deleted objects.
  package var tombstoneCount: Int {
    model.entities.map { tombstoneAttributes(of: $0.name).count }.max() ?? 0
  }

  /// The names of the attributes whose last values a deletion keeps, in the order of the columns.
  package func tombstoneAttributes(of entity: Name) -> [Name] {
    model.allAttributes(of: entity).filter(\.preservesValueInHistoryOnDeletion).map(\.name)
  }

  /// The statements that create the tables and indexes of the persistent history.
  package var historyStatements: [String] {
    let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    let key = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    return [
      "CREATE TABLE ACHANGE ( \(key), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, "
        + "ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )",
      "CREATE TABLE ATRANSACTION ( \(key), ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, "
        + "ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
        + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( \(key), ZNAME VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
      "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
      "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
      "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
      "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION "
        + "(ZAUTHOR COLLATE BINARY ASC)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION "
        + "(ZTIMESTAMP COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING "
        + "(ZNAME COLLATE BINARY ASC)",
    ]
  }

  /// The mask of changed properties of an update (store-format, section 7).
  package func changeMask(_ entity: Name, _ properties: Set<Name>) -> [UInt8] {
    let positions = changePositions(entity)
    var mask = [UInt8](repeating: 0, count: (positions.count + 7) / 8)
    for (index, name) in positions.enumerated() where properties.contains(name) {
      mask[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return mask
  }

  /// The properties in the order of the mask's bits; empty names for columns that are not
  /// properties of their own.
  private func changePositions(_ entity: Name) -> [Name] {
    let lineage = model.lineage(of: entity)
    var positions: [Name] = []
    for entity in lineage {
      for toOne in entity.relationships where !toOne.isToMany && !toOne.isTransient {
        positions.append(toOne.name)
        if entityColumnNames[PropertyPath(entity.name, toOne.name)] != nil { positions.append("") }
      }
    }
    for entity in lineage {
      let ordered = entity.relationships.filter {
        orderColumnNames[PropertyPath(entity.name, $0.name)] != nil
      }
      positions += ordered.map { _ in "" }
    }
    positions += lineage.flatMap(\.attributes).filter { !$0.isTransient }.map(\.name)
    positions += lineage.flatMap(\.relationships).filter { $0.isToMany && !$0.isTransient }
      .map(\.name)
    return positions
  }
}
