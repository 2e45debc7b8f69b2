internal import CoreDataModel

/// The order of columns by kind (store-format, section 5.3).
private enum ColumnRank {
  static let integer = 1
  static let late = 2
  static let byType: [AttributeType: (rank: Int, type: String)] = [
    .integer16: (integer, "INTEGER"), .integer32: (integer, "INTEGER"),
    .integer64: (integer, "INTEGER"), .boolean: (integer, "INTEGER"),
    .double: (3, "FLOAT"), .float: (3, "FLOAT"), .date: (3, "TIMESTAMP"),
    .decimal: (4, "DECIMAL"), .string: (5, "VARCHAR"), .uri: (6, "VARCHAR"),
    .uuid: (7, "BLOB"), .transformable: (8, "BLOB"), .binary: (9, "BLOB"),
  ]
}

extension StoreSchema {
  mutating func addTable(_ root: EntityDescription) {
    var columns: [StoreColumn] = []
    var used: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    func unique(_ name: String) -> String {
      var candidate = name
      var count = 0
      while !used.insert(candidate).inserted {
        count += 1
        candidate = name + String(count)
      }
      return candidate
    }
    let tableName = "Z" + root.name.text.uppercased()
    let tree = model.tree(of: root.name)
    for entity in tree {
      for (path, element) in entity.attributes.flatMap(leaves) {
        let name = unique("Z" + element.name.text.uppercased())
        columnNames[PropertyPath(entity.name, path)] = name
        let kind = ColumnRank.byType[element.type] ?? (9, "BLOB")
        columns.append(StoreColumn(name: name, type: kind.type, rank: kind.rank))
      }
      for toOne in entity.relationships where !toOne.isToMany && !toOne.isTransient {
        let path = PropertyPath(entity.name, toOne.name)
        let name = unique("Z" + toOne.name.text.uppercased())
        columnNames[path] = name
        columns.append(StoreColumn(name: name, type: "INTEGER", rank: ColumnRank.integer))
        if !model.subentityNames(of: toOne.destinationName).isEmpty {
          let name = unique("Z\(number(toOne.destinationName))_\(name.dropFirst())")
          entityColumnNames[path] = name
          columns.append(StoreColumn(name: name, type: "INTEGER", rank: ColumnRank.integer))
        }
      }
    }
    for late in lateColumns(of: tree) {
      let name = unique(late.name)
      columns.append(StoreColumn(name: name, type: "INTEGER", rank: ColumnRank.late))
      guard late.isOwner else {
        orderColumnNames[late.path] = name
        continue
      }
      var order: String?
      if late.isOrdered {
        let key = unique("Z_FOK_" + name.dropFirst())
        columns.append(StoreColumn(name: key, type: "INTEGER", rank: ColumnRank.late))
        order = key
      }
      ownerColumns[late.path] = OwnerColumn(table: tableName, column: name, orderColumn: order)
    }
    // Swift's sort is stable in practice, but does not promise it.
    let sorted = columns.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    tables.append(
      StoreTable(name: tableName, rootEntityName: root.name, columns: sorted.map(\.element)))
  }

  /// The attributes with a column: an attribute itself, or the elements of a composite attribute.
  func leaves(_ attribute: AttributeDescription) -> [(path: Name, AttributeDescription)] {
    guard !attribute.isTransient else { return [] }
    guard attribute.isComposite else { return [(attribute.name, attribute)] }
    return attribute.elements.flatMap(leaves).map { ("\(attribute.name).\($0.path)", $0.1) }
  }

  private struct LateColumn {
    let path: PropertyPath
    let name: String
    let isOwner: Bool
    let isOrdered: Bool
    let sortKey: (Int, Name)
  }

  /// The columns that the to-many relationships of other tables need here.
  ///
  /// Their order among each other is not known; it is by the number of the owner and the name.
  private func lateColumns(of tree: [EntityDescription]) -> [LateColumn] {
    var found: [LateColumn] = []
    for entity in tree {
      for owner in entitiesInOrder {
        for toMany in owner.relationships
        where toMany.isToMany && toMany.inverseName == nil && toMany.destinationName == entity.name
        {
          found.append(
            LateColumn(
              path: PropertyPath(owner.name, toMany.name),
              name: "Z\(number(owner.name))\(toMany.name.text.uppercased())", isOwner: true,
              isOrdered: toMany.isOrdered, sortKey: (number(owner.name), toMany.name)))
        }
      }
      for toOne in entity.relationships where !toOne.isToMany {
        let path = PropertyPath(entity.name, toOne.name)
        guard let inverse = model.inverse(of: toOne)?.relationship, let column = columnNames[path],
          inverse.isToMany, inverse.isOrdered
        else { continue }
        found.append(
          LateColumn(
            path: path, name: "Z_FOK_\(column.dropFirst())", isOwner: false, isOrdered: true,
            sortKey: (number(toOne.destinationName), inverse.name)))
      }
    }
    return found.sorted { $0.sortKey < $1.sortKey }
  }
}
