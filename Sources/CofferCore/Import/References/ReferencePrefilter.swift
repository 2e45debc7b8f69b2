internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Observes references while rows are inserted, so that sound ones need no second pass.
///
/// It leaves everything unusual, from a key that is not an integer to a table with a conflict
/// clause, to the checks that read the tables. It never reports defective references as sound.
final class ReferencePrefilter {
  /// The memory limit of its sets in bytes, which is enough for more than ten million objects.
  private static let memory = 12 << 20

  private let model: ManagedObjectModel
  private let layout: LayoutDocument
  private let catalog: SchemaCatalog
  private let budget = KeyBitmap.Budget(memory)
  private let seed = UInt64.random(in: .min ... .max)
  /// The root entities whose objects have a table.
  private let roots: Set<Name>
  /// Those of them whose objects can be watched.
  private var objects: [Name: Objects] = [:]
  /// What takes the rows of tables, by their folders.
  private var tables: [Name: TablePrefilter] = [:]
  /// The index of the reference in its table for each column of a to-one relationship, by folder and column.
  private var places: [PrefilteredReference.Place: Int] = [:]
  /// Whether there is a column or a join table that a check would read but that cannot be
  /// observed.
  private var isIncomplete = false

  /// A table of objects whose keys are row numbers.
  private struct Objects {
    var shape: TableLayout
    var keyColumn: Int
    var entityColumn: Int
    var entities: EntityRange
  }

  /// - Parameters:
  ///   - documents: the documents that describe the references.
  ///   - catalog: the tables of the store.
  init(_ documents: ArchiveDocuments, _ catalog: SchemaCatalog) {
    model = documents.model
    layout = documents.layout
    self.catalog = catalog
    let shapes = layout.tables.filter { $0.kind == .entity }
    roots = Set(shapes.compactMap(\.entityName))
    for shape in shapes {
      if let root = shape.entityName { objects[root] = watchable(shape, root) }
    }
    for shape in layout.tables { tables[Name(shape.folder)] = prefilter(shape) }
  }

  /// The filter of a table; nil if the table cannot be observed.
  func table(_ shape: TableLayout) -> TablePrefilter? { tables[Name(shape.folder)] }

  /// Whether no reference and no pair has a defect; false if that is unknown.
  var isSound: Bool {
    !isIncomplete
      && tables.values.allSatisfy { table in
        (0..<table.referenceCount).allSatisfy { isSound(table, table.reference($0)) }
      }
  }

  private func isSound(_ table: TablePrefilter, _ reference: PrefilteredReference) -> Bool {
    guard table.keys?.isComplete ?? true,
      let target = tables[Name(reference.column.targetFolder)]?.keys, reference.isSound(target)
    else { return false }
    guard let inverse = reference.column.inverse else { return true }
    // The same pairs in both directions: each destination leads back.
    guard let index = places[inverse], let back = tables[inverse.folder]?.reference(index),
      back.column.inverse != nil
    else { return false }
    return back.sums.back == reference.sums.there
  }

  private func watchable(_ shape: TableLayout, _ root: Name) -> Objects? {
    guard let key = shape.fields.firstIndex(where: { $0.role == .primaryKey }),
      let entity = shape.fields.firstIndex(where: { $0.role == .entityNumber }),
      let alias = catalog.table(shape.storedName)?.rowIDAlias,
      SchemaName(alias) == SchemaName(shape.fields[key].storedName),
      keepsIntegers(shape, [key, entity]), let entities = EntityRange(numbers(root))
    else { return nil }
    return Objects(shape: shape, keyColumn: key, entityColumn: entity, entities: entities)
  }

  /// Whether a table stores exactly the inserted rows, with unchanged integers.
  private func keepsIntegers(_ shape: TableLayout, _ columns: [Int]) -> Bool {
    guard let table = catalog.table(shape.storedName) else { return false }
    var tokens = SQLTokens(table.sql)
    while let token = tokens.next() {
      if token.uppercased() == "CONFLICT" { return false }
    }
    return columns.allSatisfy { column in
      table.column(shape.fields[column].storedName)?.declaredType.uppercased().contains("INT")
        ?? false
    }
  }

  /// The numbers of an entity and its subentities.
  private func numbers(_ entity: Name) -> [Int64] {
    model.tree(of: entity).compactMap { layout.entities.numbers[$0.name] }
  }

  private func prefilter(_ shape: TableLayout) -> TablePrefilter? {
    switch shape.kind {
    case .entity: prefilterObjects(shape)
    case .relationship: prefilterPairs(shape)
    default: nil
    }
  }

  // MARK: Objects

  private func prefilterObjects(_ shape: TableLayout) -> TablePrefilter? {
    let references = shape.fields.indices.compactMap { reference($0, of: shape) }
    guard let own = shape.entityName.flatMap({ objects[$0] }) else {
      if !references.isEmpty { isIncomplete = true }
      return nil
    }
    var columns = [own.keyColumn, own.entityColumn]
    var watched: [PrefilteredReference] = []
    for reference in references {
      let added = [reference.column] + [reference.entityColumn].compactMap(\.self)
      guard let target = objects[reference.target], keepsIntegers(shape, added),
        columns.count + added.count <= 200, Set(columns).isDisjoint(with: added)
      else {
        isIncomplete = true
        continue
      }
      places[
        PrefilteredReference.Place(folder: Name(shape.folder), column: reference.column)] =
        watched.count
      watched.append(
        PrefilteredReference(
          PrefilteredReference.Column(
            slot: columns.count, entitySlot: added.count > 1 ? columns.count + 1 : nil,
            targetFolder: target.shape.folder, targetEntities: target.entities,
            owners: reference.owners.map { own.entities.flags(numbers($0)) },
            allowed: target.entities.flags(numbers(reference.destination)),
            holders: own.entities.flags(numbers(reference.holder)), inverse: reference.inverse),
          seed: seed, budget: budget))
      columns += added
    }
    return TablePrefilter(
      columns: columns, fieldCount: shape.fields.count, keys: ObjectKeys(own.entities, budget),
      references: watched)
  }

  /// A column that holds the key of another object.
  private struct Reference {
    var column: Int
    /// The column with the destination's entity number.
    var entityColumn: Int?
    /// The root entity of the destinations.
    var target: Name
    /// The destination entity.
    var destination: Name
    /// The entity whose objects have the relationship.
    var holder: Name
    /// The entity whose objects may have a value; nil if that is the holder.
    var owners: Name?
    var inverse: PrefilteredReference.Place?
  }

  /// The reference in a column; nil if no check reads the column.
  private func reference(_ column: Int, of shape: TableLayout) -> Reference? {
    switch shape.fields[column].role {
    case .toOne(let name, let entity):
      guard let found = model.relationship(name, of: entity)?.relationship,
        let target = root(of: found.destinationName)
      else { return nil }
      return Reference(
        column: column,
        entityColumn: shape.fields.firstIndex {
          $0.role == .toOneEntity(name: name, entity: entity)
        }, target: target, destination: found.destinationName, holder: entity,
        inverse: inverse(of: found, in: target))
    case .owner(let entity, let name):
      guard let found = model.relationship(name, of: entity)?.relationship,
        let target = root(of: entity), let holder = shape.entityName
      else { return nil }
      return Reference(
        column: column, target: target, destination: entity, holder: holder,
        owners: found.destinationName)
    default: return nil
    }
  }

  /// The root of an entity if its objects have a table; otherwise nil.
  private func root(of entity: Name) -> Name? {
    model.root(of: entity).map(\.name).flatMap { roots.contains($0) ? $0 : nil }
  }

  /// The column of the inverse of a one-to-one relationship.
  private func inverse(
    of relationship: RelationshipDescription, in root: Name
  ) -> PrefilteredReference.Place? {
    guard let inverse = model.inverse(of: relationship), !inverse.relationship.isToMany,
      let shape = layout.tables.first(where: {
        $0.kind == .entity && $0.entityName == root
      })
    else { return nil }
    let role = FieldRole.toOne(name: inverse.relationship.name, entity: inverse.declaredBy)
    return shape.fields.firstIndex { $0.role == role }.map {
      PrefilteredReference.Place(folder: Name(shape.folder), column: $0)
    }
  }

  // MARK: Pairs

  private func prefilterPairs(_ shape: TableLayout) -> TablePrefilter? {
    guard let entity = shape.entityName, let name = shape.relationshipName,
      let found = model.relationship(name, of: entity)?.relationship,
      let source = root(of: entity), let destination = root(of: found.destinationName),
      let from = shape.fields.firstIndex(where: { $0.role == .source }),
      let to = shape.fields.firstIndex(where: { $0.role == .destination })
    else { return nil }
    guard from != to, keepsIntegers(shape, [from, to]), let sources = objects[source],
      let destinations = objects[destination]
    else {
      isIncomplete = true
      return nil
    }
    let ends = [(sources, entity), (destinations, found.destinationName)]
    let references = ends.enumerated().map { slot, end in
      PrefilteredReference(
        PrefilteredReference.Column(
          slot: slot, targetFolder: end.0.shape.folder, targetEntities: end.0.entities,
          allowed: end.0.entities.flags(numbers(end.1)), isRequired: true),
        seed: seed, budget: budget)
    }
    return TablePrefilter(
      columns: [from, to], fieldCount: shape.fields.count, keys: nil, references: references)
  }
}
