internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Watches references while rows pass, so that those without any defect need not be looked at again.
///
/// What it does not understand, from a key that is no integer to a table with a conflict clause, it
/// leaves to the check that reads the tables. So it says of no reference with a defect that it is sound.
final class ReferencePrefilter {
  /// How many bytes its sets may take: that is enough for ten million objects and more.
  private static let memory = 12 << 20

  private let findings: ReferenceFindings
  private let catalog: SchemaCatalog
  private let budget = KeyBitmap.Budget(memory)
  private let seed = UInt64.random(in: .min ... .max)
  /// The tables of objects, by their names.
  private var objects: [SchemaName: Objects] = [:]
  /// What takes the rows of tables, by their folders.
  private var tables: [String: TablePrefilter] = [:]
  private var places: [Column: Place] = [:]

  /// A table of objects whose keys are row numbers.
  private struct Objects {
    var folder: String
    var keyColumn: String
    var entityColumn: String
    var entities: EntityRange
  }

  /// A column of a table.
  private struct Column: Hashable {
    let table: SchemaName
    let name: SchemaName

    init(_ table: String, _ name: String) {
      self.table = SchemaName(table)
      self.name = SchemaName(name)
    }
  }

  /// Where a column's reference is watched.
  private struct Place {
    var folder: String
    var index: Int
  }

  /// - Parameters:
  ///   - findings: what the references are.
  ///   - catalog: the tables of the store.
  init(_ findings: ReferenceFindings, _ catalog: SchemaCatalog) {
    self.findings = findings
    self.catalog = catalog
    let shapes = findings.layout.tables
    for shape in shapes where shape.kind == .entity {
      objects[SchemaName(shape.storedName)] = objects(shape)
    }
    for shape in shapes { tables[shape.folder] = watch(shape) }
  }

  /// What takes the rows of a table; nil where nothing can be told of it.
  func table(_ shape: TableLayout) -> TablePrefilter? { tables[shape.folder] }

  /// Whether a reference, or the pairs of a table, have no defect; false where that is not known.
  func isSound(_ field: FieldLayout?, of shape: TableLayout) -> Bool {
    guard let field else {
      guard let table = tables[shape.folder], table.referenceCount > 0 else { return false }
      return (0..<table.referenceCount).allSatisfy { isSound(table, table.reference($0)) }
    }
    guard let place = places[Column(shape.storedName, field.storedName)],
      let table = tables[place.folder]
    else { return false }
    let reference = table.reference(place.index)
    guard isSound(table, reference) else { return false }
    guard let inverse = reference.column.inverseColumn else { return true }
    // Both ways the same pairs: each object leads back to where it is led from.
    guard let place = places[Column(reference.column.target, inverse)],
      let back = tables[place.folder]?.reference(place.index), back.column.inverseColumn != nil
    else { return false }
    return back.sums.back == reference.sums.there
  }

  private func isSound(_ table: TablePrefilter, _ reference: PrefilteredReference) -> Bool {
    guard let folder = objects[SchemaName(reference.column.target)]?.folder,
      let target = tables[folder]?.keys
    else { return false }
    return (table.keys?.isComplete ?? true) && reference.isSound(target)
  }

  private func objects(_ shape: TableLayout) -> Objects? {
    guard let key = shape.fields.first(where: { $0.role == .primaryKey })?.storedName,
      let entity = shape.fields.first(where: { $0.role == .entityNumber })?.storedName,
      let schema = catalog.table(shape.storedName),
      schema.rowIDAlias.map({ SchemaName($0) }) == SchemaName(key),
      Self.keepsIntegers(schema, [key, entity]), let root = shape.entityName,
      let entities = EntityRange(findings.numbers(root))
    else { return nil }
    return Objects(
      folder: shape.folder, keyColumn: key, entityColumn: entity, entities: entities)
  }

  /// Whether a table holds exactly the rows that were inserted, with integers as they came.
  private static func keepsIntegers(_ table: SchemaTable, _ columns: [String]) -> Bool {
    var tokens = SQLTokens(table.sql)
    while let token = tokens.next() {
      if token.uppercased() == "CONFLICT" { return false }
    }
    return columns.allSatisfy { name in
      table.column(name)?.declaredType.uppercased().contains("INT") ?? false
    }
  }

  private func watch(_ shape: TableLayout) -> TablePrefilter? {
    guard let schema = catalog.table(shape.storedName) else { return nil }
    switch shape.kind {
    case .entity: return watchObjects(shape, schema)
    case .relationship: return watchPairs(shape, schema)
    default: return nil
    }
  }

  private func watchObjects(_ shape: TableLayout, _ schema: SchemaTable) -> TablePrefilter? {
    guard let own = objects[SchemaName(shape.storedName)],
      var columns = Self.columns([own.keyColumn, own.entityColumn], shape)
    else { return nil }
    var references: [PrefilteredReference] = []
    for field in shape.fields {
      guard let stored = findings.reference(field, of: shape)?.0,
        let target = objects[SchemaName(stored.destination.name)],
        let added = Self.columns(
          [stored.column] + [stored.entityColumn].compactMap(\.self), shape),
        Self.keepsIntegers(schema, added.map { shape.fields[$0].storedName }),
        columns.count + added.count <= 200, Set(columns).isDisjoint(with: added)
      else { continue }
      places[Column(shape.storedName, field.storedName)] = Place(
        folder: shape.folder, index: references.count)
      references.append(
        PrefilteredReference(
          PrefilteredReference.Column(
            slot: columns.count, entitySlot: added.count > 1 ? columns.count + 1 : nil,
            target: stored.destination.name, targetEntities: target.entities,
            owners: own.entities.flags(stored.sourceEntities),
            allowed: target.entities.flags(stored.allowedEntities),
            inverseColumn: stored.inverseColumn),
          seed: seed, budget: budget))
      columns += added
    }
    return TablePrefilter(
      columns: columns, fieldCount: shape.fields.count, keys: ObjectKeys(own.entities, budget),
      references: references)
  }

  private func watchPairs(_ shape: TableLayout, _ schema: SchemaTable) -> TablePrefilter? {
    guard let pairs = findings.pairs(shape)?.0 else { return nil }
    let ends = [
      (pairs.source, pairs.sourceEntities), (pairs.destination, pairs.destinationEntities),
    ]
    let names = ends.map(\.0.column)
    guard Self.keepsIntegers(schema, names), let columns = Self.columns(names, shape),
      columns[0] != columns[1]
    else { return nil }
    var references: [PrefilteredReference] = []
    for (end, entities) in ends {
      guard let target = objects[SchemaName(end.table.name)] else { return nil }
      // Where no number is known, none can be wrong.
      let all = [Bool](repeating: true, count: target.entities.count)
      references.append(
        PrefilteredReference(
          PrefilteredReference.Column(
            slot: references.count, entitySlot: nil, target: end.table.name,
            targetEntities: target.entities,
            allowed: entities.isEmpty ? all : target.entities.flags(entities),
            isRequired: true),
          seed: seed, budget: budget))
    }
    return TablePrefilter(
      columns: columns, fieldCount: shape.fields.count, keys: nil, references: references)
  }

  /// The indexes of columns in a layout; nil where one is missing.
  private static func columns(_ names: [String], _ shape: TableLayout) -> [Int]? {
    let found = names.compactMap { name in shape.fields.firstIndex { $0.storedName == name } }
    return found.count == names.count ? found : nil
  }
}
