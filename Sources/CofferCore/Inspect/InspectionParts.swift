package import CoreDataArchive
internal import CoreDataLayout
package import CoreDataModel
internal import CoreDataStore

/// The common parts of inspections of stores and archives: the same tables, with counts from
/// different sources.
package struct InspectionParts {
  let model: ManagedObjectModel
  let entities: NumberedEntities
  let shapes: [TableLayout]
  /// The number of objects by the name of their exact entity; empty for unknown entities.
  let objectCounts: [Name: Int]
  /// The number of rows in other tables, by folder.
  let rowCounts: [Name: Int]

  /// The entities of the model, followed by unknown ones with objects.
  var entityInspections: [EntityInspection] {
    var found = model.entities.map { entity in
      EntityInspection(
        name: entity.name, superentityName: entity.superentityName, isAbstract: entity.isAbstract,
        number: entities.numbers[entity.name], objectCount: objectCounts[entity.name] ?? 0,
        attributes: entity.attributes, relationships: entity.relationships)
    }
    for (name, count) in objectCounts.sorted(by: { $0.key < $1.key })
    where model[name] == nil && count > 0 {
      found.append(
        EntityInspection(
          name: name, superentityName: nil, isAbstract: false, number: entities.numbers[name],
          objectCount: count, attributes: [], relationships: []))
    }
    return found
  }

  /// The many-to-many relationships.
  var pairInspections: [PairInspection] {
    shapes.compactMap { shape in
      guard shape.kind == .relationship, let entity = shape.entityName,
        let name = shape.relationshipName
      else { return nil }
      let relationship = model.relationship(name, of: entity)?.relationship
      return PairInspection(
        entityName: entity, relationshipName: name, inverseName: relationship?.inverseName,
        pairCount: rowCounts[Name(shape.folder)] ?? 0)
    }
  }

  func tables(_ kind: TableLayout.Kind) -> [TableInspection] {
    shapes.filter { $0.kind == kind }.map {
      TableInspection(name: $0.storedName, rowCount: rowCounts[Name($0.folder)] ?? 0)
    }.sorted { codeUnitsAscend($0.name, $1.name) }
  }

  /// The columns of objects and pairs that the model does not explain.
  var unknownColumns: [ColumnInspection] {
    shapes.filter { $0.kind == .entity || $0.kind == .relationship }.flatMap { shape in
      shape.fields.filter { $0.role == .plain }.map {
        ColumnInspection(tableName: shape.storedName, name: $0.storedName)
      }
    }
  }

  /// The persistent history; nil without its tables.
  ///
  /// The closure gives the timestamps of the first and the last transaction in their table.
  func history(edges: (TableLayout) throws -> [Double?]) throws -> HistoryInspection? {
    let tables = tables(.history)
    guard !tables.isEmpty else { return nil }
    func shape(_ name: String) -> TableLayout? {
      shapes.first { $0.kind == .history && $0.storedName.uppercased() == name }
    }
    func count(_ name: String) -> Int { shape(name).flatMap { rowCounts[Name($0.folder)] } ?? 0 }
    let times = try shape(Self.transactions).map(edges) ?? []
    func date(_ time: Double??) -> String? { (time ?? nil).flatMap { Self.text(ofDate: $0) } }
    return HistoryInspection(
      transactionCount: count(Self.transactions), changeCount: count(StoredName.changes),
      firstDate: date(times.first), lastDate: date(times.last), tables: tables)
  }

  /// The table of transactions, and its column with their time (store-format, section 7).
  private static let transactions = StoredName.transactions
  static let timestamp = StoredName.transactionTime

  /// A time as ISO 8601 text; nil if it has no such text.
  package static func text(ofDate seconds: Double) -> String? {
    var buffer = JSONBuffer(minimumCapacity: 64)
    guard buffer.appendDate(real: seconds) else { return nil }
    // Without the quotes, and without a fraction that only marks the number as floating point.
    let text = String(decoding: buffer.bytes().dropFirst().dropLast(), as: UTF8.self)
    return text.hasSuffix(".0Z") ? text.dropLast(3) + "Z" : text
  }

  /// The app's own keys in the metadata, with their values.
  static func values(of metadata: StoreMetadata) -> [MetadataValue] {
    guard !metadata.applicationKeys.isEmpty,
      let list = try? PropertyListValue.parse(metadata.propertyList)
    else { return [] }
    return metadata.applicationKeys.map {
      MetadataValue(name: $0, value: list[$0]?.text ?? "")
    }
  }

  /// The settings in a document.
  package static func settings(_ schema: SchemaDocument) -> InspectedSettings {
    let modes: [Int64: String] = [0: "none", 1: "full", 2: "incremental"]
    return InspectedSettings(
      pageSize: schema.pageSize, journalMode: schema.journalMode,
      autoVacuum: modes[schema.autoVacuum] ?? String(schema.autoVacuum),
      encoding: schema.encoding, userVersion: schema.userVersion,
      applicationID: schema.applicationID)
  }
}

extension PropertyListValue {
  /// The value as readable text: JSON if possible, `<0001ff>` for bytes, ISO 8601 for dates.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .wideInteger(let high, let low): "\((Int128(high) << 64) | Int128(low))"
    case .real(let value): "\(value)"
    case .date(let seconds): InspectionParts.text(ofDate: seconds) ?? "\(seconds)"
    case .data(let bytes): "<\(Hexadecimal.text(bytes))>"
    case .string(let text): Self.quoted(text)
    case .uid(let number): "uid \(number)"
    case .array(let elements), .set(let elements):
      "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{"
        + entries.sorted { codeUnitsAscend($0.key, $1.key) }
        .map { "\(Self.quoted($0.key)): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).bytes(layout: .compact), as: UTF8.self)
  }
}
