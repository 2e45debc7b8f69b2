internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The parts of a source to write, table by table, and the parts to leave out.
struct DataExportPlan {
  /// The tables with at least one written part.
  private(set) var tables: [ExportedTable] = []
  /// The name of the primary key column, which is the same in all parts.
  let keyName: String
  /// The number of omitted tables that do not contain objects.
  private(set) var otherTableCount = 0
  /// The number of omitted columns of objects, because the model does not explain them.
  private(set) var otherColumnCount = 0

  private let model: ManagedObjectModel
  private let selection: EntitySelection
  private let skipsEmpty: Bool
  /// The root entities whose objects have primary keys.
  private let keyedRoots: Set<Name>

  init(_ source: some RowSource, _ selection: EntitySelection, skipsEmpty: Bool = false) {
    self.selection = selection
    self.skipsEmpty = skipsEmpty
    model = source.model
    keyName = Self.keyName(source.model)
    let roots = source.shapes.filter { shape in
      shape.kind == .entity && shape.fields.contains { $0.role == .primaryKey }
    }
    keyedRoots = Set(roots.compactMap(\.entityName))
    for shape in source.shapes {
      switch shape.kind {
      case .entity: addObjects(shape, source.entities)
      case .relationship: addPairs(shape)
      case .metadata, .primaryKeys, .modelCache: break
      default: otherTableCount += 1
      }
    }
  }

  /// `id`, or `pk` if an entity has a property with that name, and so on.
  static func keyName(_ model: ManagedObjectModel) -> String {
    var names = UniqueNames(.files)
    for entity in model.entities {
      let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for name in properties where names.isFree(name.text) { _ = names.take(name.text) }
    }
    return names.isFree("id") ? "id" : names.take("pk")
  }

  private mutating func addObjects(_ shape: TableLayout, _ entities: NumberedEntities) {
    guard let root = shape.entityName else { return }
    let fields = DataFields(shape)
    let lineages = entities.lineages(below: root)
    var numbers = model.tree(of: root).compactMap { entities.numbers[$0.name] }
      .filter { lineages[$0] != nil }
    let known = Set(numbers)
    numbers += lineages.keys.filter { !known.contains($0) }.sorted()
    var parts: [DataPart] = []
    for number in numbers {
      guard let name = entities.names[number], let lineage = lineages[number] else { continue }
      let columns = DataColumns(
        fields, model, of: name, lineage: lineage, keyName: keyName, root: destinationRoot(of:))
      parts.append(
        DataPart(
          entityName: name, number: number, isChosen: selection.contains(name),
          isAbstract: model[name]?.isAbstract ?? false, skipsEmpty: skipsEmpty,
          columns: columns.columns))
    }
    guard parts.contains(where: \.isChosen) else { return }
    otherColumnCount += fields.plainCount
    tables.append(
      ExportedTable(shape: shape, parts: parts, keyColumn: fields.key, entityColumn: fields.entity))
  }

  private mutating func addPairs(_ shape: TableLayout) {
    guard let entity = shape.entityName, let name = shape.relationshipName else { return }
    let destination = model.relationship(name, of: entity)?.relationship.destinationName
    guard [entity, destination].contains(where: isChosenInPart) else { return }
    var columns: [DataColumn] = []
    func add(_ name: Name, _ role: FieldRole, _ content: DataColumn.Content, _ end: Name?) {
      guard let column = shape.fields.firstIndex(where: { $0.role == role }) else { return }
      columns.append(
        DataColumn(
          name: name.text, content: content, column: column,
          destinationRoot: end.flatMap(destinationRoot(of:))))
    }
    add("source", .source, .reference, entity)
    add("destination", .destination, .reference, destination)
    add("position", .destinationOrder, .position, nil)
    add("inverse.position", .sourceOrder, .position, nil)
    let part = DataPart(
      entityName: entity, relationshipName: name, skipsEmpty: skipsEmpty, columns: columns)
    tables.append(ExportedTable(shape: shape, parts: [part]))
  }

  /// Whether objects of an entity or its subentities are written.
  private func isChosenInPart(_ entity: Name?) -> Bool {
    guard let entity else { return false }
    return selection.contains(entity)
      || model.tree(of: entity).contains { selection.contains($0.name) }
  }

  /// The root entity of the destinations of a reference; nil if not all of them are written.
  private func destinationRoot(of entity: Name) -> Name? {
    guard let root = model.root(of: entity)?.name, keyedRoots.contains(root),
      model.tree(of: entity).allSatisfy({ selection.contains($0.name) })
    else { return nil }
    return root
  }
}
