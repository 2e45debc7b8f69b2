internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// A key path from the objects of an entity of an old store: relationships, and perhaps an attribute at the
/// end.
///
/// Its SQL reads the rows that it leads to from the key of an object.
package struct SourcePath: Sendable, Equatable {
  /// An attribute at the end of a path.
  package struct Attribute: Sendable, Equatable {
    /// The name of its column.
    package var column: String
    /// Its type.
    package var type: AttributeType
    /// Whether its values can be in files.
    package var isExternal: Bool
  }

  /// The entity in which the relationships end.
  package private(set) var entity: Name
  /// The attribute at the end; nil for a path of relationships.
  package private(set) var attribute: Attribute?
  /// Whether it can lead to several objects.
  package private(set) var isToMany = false
  /// Whether its last relationship is ordered.
  package private(set) var isOrdered = false
  private let table: EntityTable
  private var links: [SourceLink] = []

  /// The path without relationships: the object itself; nil if the store has no table for the entity.
  package init?(from entity: Name, in layout: StoreLayout) {
    guard let table = layout.entityTable(of: entity) else { return nil }
    self.entity = entity
    self.table = table
  }

  /// Finds a path; nil if there is no such path, or the store does not keep it.
  ///
  /// - Parameters:
  ///   - names: the names of properties, one after the other.
  ///   - entity: the entity of the objects from which it leads.
  ///   - layout: the meaning of the tables of the store.
  package init?(_ names: [Name], from entity: Name, in layout: StoreLayout) {
    self.init(from: entity, in: layout)
    let finder = SourceLinks(layout: layout)
    for (index, name) in names.enumerated() {
      if let (declarer, relationship) = layout.model.relationship(name, of: self.entity) {
        let place = PropertyReference(entity: declarer, property: name)
        guard let link = finder.forward(place) else { return nil }
        links.append(link)
        self.entity = relationship.destinationName
        isToMany = isToMany || relationship.isToMany
        isOrdered = relationship.isToMany && relationship.isOrdered
      } else {
        guard let attribute = Self.attribute(Array(names[index...]), of: self.entity, layout)
        else { return nil }
        self.attribute = attribute
        return
      }
    }
  }

  private static func attribute(
    _ path: [Name], of entity: Name, _ layout: StoreLayout
  ) -> Attribute? {
    let lineage = layout.model.lineage(of: entity).map(\.name)
    for column in layout.entityTable(of: entity)?.columns ?? [] {
      if case .attribute(let own, let type, let isExternal, let declarer) = column.role,
        own == path, lineage.contains(declarer)
      {
        return Attribute(column: column.storedName, type: type, isExternal: isExternal)
      }
    }
    return nil
  }

  /// The name of the rows at the end in ``rows(from:)``.
  private var end: String { "x\(links.count)" }

  /// The tables with the rows from the object whose key is `?1` or another one, or from those with the keys in a
  /// table, to the end, and the condition.
  private func rows(from start: String? = nil, key object: String = "?1") -> String {
    let key = quotedIdentifier(StoredName.primaryKey)
    var text = "\(quotedIdentifier(table.tableName)) AS x0"
    for (index, link) in links.enumerated() {
      let (near, far) = ("x\(index)", "x\(index + 1)")
      let table = quotedIdentifier(link.farTable.tableName)
      switch link.form {
      case .column(let name):
        text += " JOIN \(table) AS \(far) ON \(far).\(key) = \(near).\(quotedIdentifier(name))"
      case .rows(let column):
        text += " JOIN \(table) AS \(far) ON \(far).\(quotedIdentifier(column)) = \(near).\(key)"
      case .pairs(let pairs, let nearColumn, let farColumn):
        let alias = "p\(index)"
        text +=
          " JOIN \(quotedIdentifier(pairs)) AS \(alias) ON "
          + "\(alias).\(quotedIdentifier(nearColumn)) = \(near).\(key)"
          + " JOIN \(table) AS \(far) ON \(far).\(key) = \(alias).\(quotedIdentifier(farColumn))"
      }
    }
    return "\(text) WHERE x0.\(key) \(start.map { "IN (SELECT k FROM \($0))" } ?? "= \(object)")"
  }

  /// The position of the object at the end; NULL where the relationship has no order.
  private var position: String {
    guard isOrdered, let link = links.last, let order = link.farOrder.map(quotedIdentifier) else {
      return "NULL"
    }
    if case .pairs = link.form { return "p\(links.count - 1).\(order)" }
    return "\(end).\(order)"
  }

  /// The statement that reads the value of the attribute at the end, from the object whose key is `?1`.
  package var valueStatement: String {
    let value = attribute.map { "\(end).\(quotedIdentifier($0.column))" } ?? "NULL"
    return "SELECT \(value) FROM \(rows())"
  }

  /// Reads the objects at the end, from the object whose key is `?1`: the keys, changed, and
  /// their positions.
  ///
  /// - Parameters:
  ///   - number: the number of the entity whose objects are read.
  ///   - offset: the number that is added to their keys.
  ///   - filter: the table with the keys of the objects to read; nil for all.
  ///   - start: the table with the keys of the objects from which the path leads; nil for the one object.
  ///   - place: the position of the path in a list of several.
  /// - Returns: a part of ``keyStatement(_:)``.
  package func keySelection(
    ofEntity number: Int64, offset: Int64, filter: String?, from start: String? = nil,
    at place: Int = 0
  ) -> String {
    "SELECT \(endKey) + \(offset) AS k, \(place) AS p, \(position) AS o FROM \(rows(from: start)) "
      + condition(ofEntity: number, filter: filter)
  }

  /// The pairs of objects that the path connects, with the changed keys of both.
  ///
  /// - Parameters:
  ///   - near: the statement that reads the keys of the objects at the beginning, as `k`, and what is added to them.
  ///   - number: the number of the entity whose objects are at the end.
  ///   - offset: the number that is added to their keys.
  ///   - filter: the table with the keys of these objects; nil for all.
  ///   - start: the table with the keys of the objects from which the path leads for every object; nil for the
  ///     object itself.
  /// - Returns: a statement with the columns `a` and `b`.
  package func pairSelection(
    of near: (keys: String, offset: Int64), ofEntity number: Int64, offset: Int64, filter: String?,
    from start: String? = nil
  ) -> String {
    "SELECT n.k + \(near.offset) AS a, \(endKey) + \(offset) AS b FROM (\(near.keys)) AS n CROSS JOIN "
      + "\(rows(from: start, key: "n.k")) \(condition(ofEntity: number, filter: filter))"
  }

  private var endKey: String { "\(end).\(quotedIdentifier(StoredName.primaryKey))" }

  /// The further condition that the objects at the end belong to an entity, and are in a table of keys if there is
  /// one.
  private func condition(ofEntity number: Int64, filter: String?) -> String {
    "AND \(end).\(quotedIdentifier(StoredName.entityNumber)) = \(number)"
      + (filter.map { " AND \(endKey) IN (SELECT k FROM \($0))" } ?? "")
  }

  /// The statement that reads all keys that selections give, each once, in the order of the list and the relationship.
  package static func keyStatement(_ selections: [String]) -> String {
    guard !selections.isEmpty else { return "SELECT NULL WHERE 0" }
    return "SELECT k FROM (\(selections.joined(separator: " UNION ALL "))) "
      + "GROUP BY k ORDER BY min(p), min(o), k"
  }
}
