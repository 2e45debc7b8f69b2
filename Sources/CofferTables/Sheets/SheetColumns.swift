internal import CofferCore
internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// The meaning of a column of a table for the objects of an entity.
enum SheetColumn {
  case key
  /// A value of an attribute, with the column of the store.
  case attribute(Int, ValueForm, AttributeType)
  /// The path of the file with the value of an attribute, with the column of the store.
  case file(Int, isExternal: Bool)
  /// The destination of a to-one relationship, or the owner in a to-many relationship without inverse,
  /// with the column of the store.
  case reference(Int, SheetKeys.Naming)
  /// A position, with the column of the store.
  case position(Int)
  /// The destinations of a to-many relationship: the number of its lists.
  case list(Int, SheetKeys.Naming)
  /// A key that is no property of the model: its number.
  case identifier(Int)
  /// A composite attribute, which can only have no value, with the columns of the store of its elements.
  case group([Int])
  /// Nothing that is taken over, but it may have values.
  case ignored
  /// Nothing of this entity: no object may have a value.
  case empty

  /// The column of the store whose values it has; nil for none.
  var storedColumn: Int? {
    switch self {
    case .attribute(let column, _, _), .file(let column, _), .reference(let column, _),
      .position(let column):
      column
    default: nil
    }
  }
}

/// Identifies the columns of a table, by the names that a data export gives them.
package struct SheetColumns {
  private let context: SheetContext
  private let entityName: Name
  private let index: Int
  private var columns: [Name: SheetColumn] = [:]

  init(_ context: SheetContext, of entityName: Name, table index: Int) throws(CofferError) {
    self.context = context
    self.entityName = entityName
    self.index = index
    for column in Self.all(of: entityName, context.schema.tables[index], context.model) {
      try add(column)
    }
  }

  /// The columns that a table of an entity's objects can have, besides lists.
  package static func all(
    of entityName: Name, _ table: EntityTable, _ model: ManagedObjectModel
  ) -> [DataColumn] {
    let shape = TableLayout(
      folder: "", storedName: table.tableName, kind: .entity, entityName: table.rootEntityName,
      fields: table.columns)
    let lineage = Set(model.lineage(of: entityName).map(\.name))
    return DataColumns(
      DataFields(shape), model, of: entityName, lineage: lineage,
      keyName: DataExportPlan.keyName(model), root: { _ in nil }
    ).columns
  }

  private mutating func add(_ column: DataColumn) throws(CofferError) {
    let name = Name(column.name)
    switch column.content {
    case .key: columns[name] = .key
    case .attribute(let form, let type):
      columns[name] = .attribute(column.column, form, type)
      if form == .binary {
        columns[Name("\(column.name).file")] = .file(column.column, isExternal: false)
      }
    case .file: columns[name] = .file(column.column, isExternal: true)
    case .reference:
      guard let naming = try naming(column.column, key: nil) else { return }
      columns[name] = .reference(column.column, naming)
    case .destinationEntity: columns[name] = .ignored
    case .position: columns[name] = .position(column.column)
    }
  }

  private func reference(_ column: Int) -> Int? {
    context.schema.references.firstIndex { $0.table == index && $0.column == column }
  }

  private func naming(_ column: Int, key path: Name?) throws(CofferError) -> SheetKeys.Naming? {
    guard let reference = reference(column) else { return nil }
    let found = context.schema.references[reference]
    let destination =
      found.relationship?.destinationName
      ?? found.inverse?.entity ?? context.schema.tables[found.destinationTable].rootEntityName
    return try context.naming(of: destination, key: path)
  }

  /// The meaning of a column.
  ///
  /// - Returns: nil if the entity has no such property.
  /// - Throws: `CofferError` with `invalid-table` if another table names the same objects in another
  ///   way; mapped from SQLite's result code.
  func column(_ name: Name, at place: SheetPlace) throws(CofferError) -> SheetColumn? {
    guard let found = try find(name) else { return nil }
    if case .reference(let column, let naming) = found, let reference = reference(column),
      !context.keys.note(naming, of: reference)
    {
      throw place.error("another table identifies its objects by another key")
    }
    return found
  }

  /// Whether a column has a meaning.
  func knows(_ name: Name) throws(CofferError) -> Bool { try find(name) != nil }

  private func find(_ name: Name) throws(CofferError) -> SheetColumn? {
    if let number = context.keys.identifier(name, of: entityName) {
      context.keys.markGiven(number)
      return .identifier(number)
    }
    if let column = columns[name] { return column }
    if let list = try context.list(name, of: entityName, key: nil) {
      return .list(try context.number(of: list), list.naming)
    }
    if let column = try nested(name.text) { return column }
    return group(name.text)
  }

  /// A column with a relationship and the key of its destinations, as `author.email`.
  private func nested(_ name: String) throws(CofferError) -> SheetColumn? {
    var end = name.startIndex
    while let point = name[end...].firstIndex(of: ".") {
      let relationship = Name(String(name[..<point]))
      end = name.index(after: point)
      let path = Name(String(name[end...]))
      if path.isEmpty { return nil }
      if case .reference(let column, _)? = columns[relationship] {
        return try naming(column, key: path).map { .reference(column, $0) }
      }
      if let list = try context.list(relationship, of: entityName, key: path) {
        return .list(try context.number(of: list), list.naming)
      }
    }
    return nil
  }

  /// The meaning of a name that begins the names of others: a composite attribute, whose elements have
  /// the values.
  private func group(_ name: String) -> SheetColumn? {
    let found = columns.filter { $0.key.text.hasPrefix("\(name).") }
    guard !found.isEmpty else { return nil }
    let elements = found.values.compactMap { column -> Int? in
      guard case .attribute(let number, _, _) = column else { return nil }
      return number
    }
    return elements.isEmpty ? .empty : .group(elements.sorted())
  }

  /// The meaning of a column of a table with objects of several entities: a column of another entity is empty.
  ///
  /// Where two entities have a property of the same name, a data export puts the entity before the
  /// second.
  func column(
    _ name: Name, among names: [String], at place: SheetPlace
  ) throws(CofferError) -> SheetColumn? {
    for entity in context.model.lineage(of: entityName).reversed() {
      if names.contains(where: { $0.hasSameBytes(as: "\(entity.name).\(name)") }),
        columns["\(entity.name).\(name)"] == nil
      {
        return .empty
      }
      let prefix = "\(entity.name)."
      if name.text.hasPrefix(prefix), columns[name] == nil,
        let column = try self.column(Name(String(name.text.dropFirst(prefix.count))), at: place)
      {
        return column
      }
    }
    if isOfOther(name, among: names) { return .empty }
    return try column(name, at: place) ?? .empty
  }

  /// Whether a name could mean a relationship and a key, but is that of another entity's property.
  private func isOfOther(_ name: Name, among names: [String]) -> Bool {
    guard columns[name] == nil, let point = name.text.firstIndex(of: ".") else { return false }
    let rest = String(name.text[name.text.index(after: point)...])
    let property = Name(String(rest.prefix { $0 != "." }))
    let root = context.schema.tables[index].rootEntityName
    return names.contains { $0.hasSameBytes(as: rest) }
      && context.model.tree(of: root).contains { entity in
        entity.name == Name(String(name.text[..<point]))
          && (entity.attributes.map(\.name) + entity.relationships.map(\.name)).contains(property)
      }
  }

  /// The error about a column without a property of the entity.
  func unknown(_ name: String, at place: SheetPlace) -> CofferError {
    let properties = columns.keys + context.model.allRelationships(of: entityName).map(\.name)
    let guess = SimilarName.nearest(to: name, among: properties)
    var place = place
    place.column = name
    return place.error(
      "\(entityName) has no such property\(guess.map { "; did you mean \($0)?" } ?? "")",
      advice: .nameColumn(entityName))
  }
}
