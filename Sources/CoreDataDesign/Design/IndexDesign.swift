internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The indexes of the table of an inheritance tree in a fresh store, except for uniqueness
/// constraints.
///
/// Source: store-format, section 5.7.
struct IndexDesign {
  /// The user info of a root entity without the index of the entities' numbers.
  private static let omitsEntityIndex: Name = "_NSEntityOmitSubentityColumnIndex"
  /// The number of the element type for R-trees.
  private static let spatialKind = 1

  private let table: TableDesign
  private let model: ManagedObjectModel
  private let columns: DesignColumns
  private let era: FrameworkEra

  private(set) var ofReferences: [SchemaStatement] = []
  private(set) var ofModel: [SchemaStatement] = []
  /// The parts that could not be designed, in words.
  private(set) var notes: [String] = []

  init(_ table: TableDesign, model: ManagedObjectModel, columns: DesignColumns, era: FrameworkEra) {
    self.table = table
    self.model = model
    self.columns = columns
    self.era = era
    addReferences()
    for entity in table.entities {
      if era.hasFetchIndexes { addFetchIndexes(of: entity) } else { addIndexes(of: entity) }
    }
  }

  /// An index for every to-one relationship and every owner, and one for the entities of a tree.
  private mutating func addReferences() {
    for column in table.columns {
      switch column.expected.role {
      case .toOne, .owner: ofReferences.append(index(of: [column.expected.name]))
      default: break
      }
    }
    guard table.entities.count > 1, table.root.userInfo[Self.omitsEntityIndex] != .string("YES")
    else { return }
    ofReferences.append(index(of: [StoredName.entityNumber]))
  }

  /// The indexes of before fetch indexes: of attributes with the flag, and compound ones.
  private mutating func addIndexes(of entity: EntityDescription) {
    for attribute in entity.attributes where attribute.isIndexed {
      guard let column = columns.column(declaredBy: entity.name, path: attribute.name) else {
        continue
      }
      ofModel.append(index(of: [column]))
    }
    for properties in entity.compoundIndexes {
      let found = properties.compactMap { columns.column(of: entity.name, path: $0) }
      guard found.count == properties.count, !found.isEmpty else { continue }
      let name = "\(table.name)_\(found.joined(separator: "_"))"
      ofModel.append(statement(name, found.joined(separator: ", ")))
    }
  }

  private func index(of columns: [String]) -> SchemaStatement {
    let list = columns.joined(separator: "_")
    return statement("\(table.name)_\(list)_INDEX", columns.joined(separator: ", "))
  }

  private func statement(_ name: String, _ list: String) -> SchemaStatement {
    SchemaStatement(
      kind: .index, name: name, tableName: table.name,
      sql: "CREATE INDEX \(name) ON \(table.name) (\(list))")
  }

  // MARK: Fetch indexes

  private mutating func addFetchIndexes(of entity: EntityDescription) {
    let above = entity.superentityName.flatMap { model[$0] }.map { FetchIndexes($0) }
    for index in entity.fetchIndexes where above?.contains(index) != true {
      add(index, of: entity)
    }
  }

  private mutating func add(_ index: FetchIndexDescription, of entity: EntityDescription) {
    guard !index.elements.contains(where: { $0.kind == Self.spatialKind }) else {
      notes.append("the R-tree of the fetch index \(entity.name).\(index.name) is left out")
      return
    }
    guard DesignNames.isUsable(index.name) else {
      notes.append("the fetch index \(entity.name).\(index.name) is left out because of its name")
      return
    }
    // The relationship has its own index.
    if index.elements.count == 1, let name = index.elements[0].propertyName,
      model.relationship(name, of: entity.name) != nil
    {
      return
    }
    let list = index.elements.compactMap { element in
      column(of: element, entity.name).map {
        "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
      }
    }
    // An element may be a to-many relationship, which has no column: then there is no index.
    guard list.count == index.elements.count, !list.isEmpty else { return }
    var statement = statement("Z_\(entity.name)_\(index.name)", list.joined(separator: ", "))
    if let predicate = index.partialIndexPredicate {
      switch PartialIndexText(entity: entity.name, columns: columns).text(of: predicate) {
      case .condition(let text):
        let isDoubled = era.doublesBlanks && text.hasSuffix("IS NOT NULL")
        statement.sql += (isDoubled ? " WHERE  " : " WHERE ") + text
      case .unknownKey: return
      case .unknownForm:
        notes.append(
          "the fetch index \(entity.name).\(index.name) is left out because its condition "
            + "cannot be written in SQL")
        return
      }
    }
    ofModel.append(statement)
  }

  private func column(of element: FetchIndexDescription.Element, _ entity: Name) -> String? {
    if let name = element.propertyName { return columns.column(of: entity, path: name) }
    return switch element.expression {
    case .evaluatedObject: StoredName.primaryKey
    case .keyPath(nil, let path): columns.column(of: entity, path: Name(path))
    default: nil
    }
  }
}

/// The fetch indexes of an entity, to recognize unchanged inherited ones.
struct FetchIndexes {
  private let byName: [Name: FetchIndexDescription]

  init(_ entity: EntityDescription) {
    byName = Dictionary(
      entity.fetchIndexes.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether the entity has this very index.
  func contains(_ index: FetchIndexDescription) -> Bool {
    byName[index.name].map { $0.elements == index.elements } ?? false
  }
}

extension ManagedObjectModel {
  /// The model with the fetch indexes that the framework adds to it when it makes a store.
  ///
  /// A compiled model lists only declared indexes. A store also has one for every indexed attribute
  /// and every compound index, which the reader of sources adds itself; a store's copy of the model
  /// lists all of them. Source: store-format, section 4.
  var withAddedFetchIndexes: ManagedObjectModel {
    guard source == .file else { return self }
    return ManagedObjectModel(
      entities: entities.map { entity in
        var entity = entity
        let declared = Set(entity.fetchIndexes.map(\.name))
        let indexed = entity.attributes.filter(\.isIndexed).map { [$0.name] }
        let added = (indexed + entity.compoundIndexes).map { properties in
          FetchIndexDescription(
            name: Name(properties.joined(separator: "_")),
            elements: properties.map { .init(propertyName: $0) })
        }
        entity.fetchIndexes = added.filter { !declared.contains($0.name) } + entity.fetchIndexes
        return entity
      }, versionIdentifiers: versionIdentifiers, configurations: configurations,
      fetchRequestTemplateNames: fetchRequestTemplateNames, source: source)
  }
}

/// The names of a model that a schema can contain without quotes.
enum DesignNames {
  /// The entities and properties whose names would need quotes in a statement, which Core Data
  /// never writes.
  static func unusable(in model: ManagedObjectModel) -> [UndecidedChoice] {
    model.entities.flatMap { entity -> [UndecidedChoice] in
      var names: [Name] = isUsable(entity.name) ? [] : [""]
      names += entity.attributes.filter { !isUsable($0) }.map(\.name)
      names += entity.relationships.map(\.name).filter { !isUsable($0) }
      return names.map { name in
        let property = PropertyReference(entity: entity.name, property: name)
        return UndecidedChoice(
          kind: .unusableName, properties: [property],
          text:
            "how to write the name of \(UndecidedChoice.list([property])) in the schema, where no "
            + "statement can contain it unchanged")
      }
    }
  }

  private static func isUsable(_ attribute: AttributeDescription) -> Bool {
    guard !attribute.isTransient else { return true }
    return isUsable(attribute.name) && attribute.elements.allSatisfy { isUsable($0) }
  }

  /// Whether a name consists of characters that SQLite accepts in names: letters, digits,
  /// underscores, dollar signs, and anything beyond ASCII.
  static func isUsable(_ name: Name) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
          true
        default: false
        }
      }
  }
}
