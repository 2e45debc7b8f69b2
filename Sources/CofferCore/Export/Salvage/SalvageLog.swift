internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// Turns losses of a salvage into findings and into the document in the archive.
struct SalvageLog {
  /// Runs of lost objects up to this length get a finding for each object.
  private static let longestRun = 1000

  private(set) var document = SalvageDocument()
  private(set) var findings: [Finding] = []

  mutating func add(_ table: StoreSalvage.DamagedTable) {
    let (shape, losses) = (table.shape, table.losses)
    let counts = losses.rows.map(\.count)
    let isExact = !losses.hasUnknownRows && losses.rows.allSatisfy { $0.isExact && $0.last != nil }
    let known = counts.compactMap(\.self).reduce(0) {
      $0.addingReportingOverflow($1).overflow ? .max : $0 + $1
    }
    document.tables.append(
      SalvageDocument.Table(
        folder: shape.folder, entityName: shape.entityName, readCount: losses.readCount,
        lostCount: known, isExact: isExact,
        rows: Array(losses.rows.prefix(SalvageDocument.listLimit)),
        lostValueCount: losses.values.count,
        values: losses.values.prefix(SalvageDocument.listLimit).map {
          SalvageDocument.Value(key: $0.row, property: Self.property($0.column, shape))
        }))
    if losses.isWholeTable {
      findings.append(
        Finding(
          .lostTable, entityName: shape.entityName,
          detail: "\(shape.folder): \(Self.quantity(known, isExact, losses))"))
    }
    // For a table without any rows, only certain losses are worth mentioning.
    for rows in losses.rows where rows.isExact || !losses.isWholeTable { add(rows, shape) }
    if losses.hasUnknownRows, !losses.isWholeTable {
      findings.append(
        Finding(
          .lostRows, entityName: shape.entityName,
          detail: "\(shape.folder): an unknown number of rows"
        ))
    }
    for value in losses.values {
      findings.append(
        Finding(
          .lostValue, entityName: shape.entityName,
          objectID: shape.kind == .entity
            ? shape.entityName.map { ManagedObjectID(entityName: $0, primaryKey: value.row) } : nil,
          propertyName: Self.property(value.column, shape),
          detail: shape.kind == .entity ? "" : "\(shape.folder): row \(value.row)"))
    }
  }

  /// Records a table with rows that cannot belong to it.
  mutating func add(misplaced shape: TableLayout) {
    findings.append(Finding(.misplacedRows, entityName: shape.entityName, detail: shape.folder))
  }

  private mutating func add(_ rows: LostRows, _ shape: TableLayout) {
    let isObject = shape.kind == .entity
    if isObject, rows.isExact, let entity = shape.entityName, let last = rows.last,
      let count = rows.count, count <= Self.longestRun
    {
      for key in rows.first...last {
        findings.append(
          Finding(.lostRows, objectID: ManagedObjectID(entityName: entity, primaryKey: key)))
      }
      return
    }
    var detail = isObject ? "" : "\(shape.folder): "
    let unit = isObject ? "object" : "row"
    if let last = rows.last, let count = rows.count {
      let units = count == 1 ? unit : unit + "s"
      detail += rows.isExact ? "\(count) \(units): " : "up to \(count) \(units): "
      detail += count == 1 ? "number \(last)" : "numbers \(rows.first) to \(last)"
    } else {
      detail += "\(unit)s from number \(rows.first) on; how many is unknown"
    }
    findings.append(
      Finding(
        .lostRows, entityName: shape.entityName, propertyName: shape.relationshipName,
        detail: detail))
  }

  /// Records a reference to something lost.
  mutating func add(_ reference: SalvageDocument.Reference) {
    document.danglingCount += 1
    if document.dangling.count < SalvageDocument.listLimit { document.dangling.append(reference) }
  }

  mutating func add(_ losses: SalvageDocument) {
    document.tables += losses.tables
    document.files += losses.files
  }

  /// Records a file of external binary data that could not be read.
  mutating func add(file: String, detail: String) {
    document.files.append(file)
    findings.append(Finding(.lostExternalData, detail: "\(file): \(detail)"))
  }

  /// Records that part of the schema could not be read, and the tables of the model that are missing for that reason.
  mutating func addLostSchema(_ missing: [MissingPart]) {
    document.isSchemaWhole = false
    findings.append(Finding(.lostSchema))
    for part in missing where part.kind == .table || part.kind == .joinTable {
      document.missingTables.append(
        [part.entity, part.property].compactMap(\.self).joined(separator: "."))
      findings.append(
        Finding(
          .lostTable, entityName: part.entity, propertyName: part.property,
          detail: "its definition cannot be read"))
    }
  }

  /// Records that the write-ahead log is too short, or that part of it cannot be applied.
  mutating func add(missingLogBytes: Int64, _ defect: LogDefect?) {
    let details =
      (missingLogBytes > 0 ? ["\(missingLogBytes) bytes are missing"] : [])
      + (defect.map { [$0.text] } ?? [])
    guard !details.isEmpty else { return }
    let (count, isTooMany) = missingLogBytes.addingReportingOverflow(defect?.byteCount ?? 0)
    document.missingLogBytes = isTooMany ? .max : Int(clamping: count)
    findings.append(
      Finding(
        .lostTransactions,
        detail: details.joined(separator: "; ") + "; how many rows it changed is unknown"))
  }

  /// Records the parts of the schema that cannot be restored.
  mutating func add(_ change: RestorableSchema.Change) {
    switch change.kind {
    case .added:
      document.isSchemaWhole = false
      findings.append(Finding(.lostTable, detail: change.detail))
    case .simplified:
      document.changedStatements.append(change.detail)
      findings.append(Finding(.unrestorableSchema, detail: "\(change.detail); it is simplified"))
    case .leftOut:
      document.changedStatements.append(change.detail)
      findings.append(Finding(.unrestorableSchema, detail: "\(change.detail); it is left out"))
      guard let table = change.table else { return }
      document.isSchemaWhole = false
      document.missingTables.append(table.entityName?.text ?? table.storedName)
      findings.append(Finding(.lostTable, entityName: table.entityName, detail: table.folder))
    }
  }

  /// The findings since the last call.
  mutating func takeFindings() -> [Finding] {
    defer { findings.removeAll() }
    return findings
  }

  private static func quantity(_ known: Int, _ isExact: Bool, _ losses: TableLosses) -> String {
    if isExact { return known == 1 ? "1 row" : "\(known) rows" }
    let isBounded = !losses.hasUnknownRows && losses.rows.allSatisfy { $0.last != nil }
    return isBounded ? "up to \(known) rows" : "an unknown number of rows"
  }

  /// The name of a column's property, or of the column itself.
  private static func property(_ column: String, _ shape: TableLayout) -> Name {
    guard let field = shape.fields.first(where: { $0.storedName.hasSameBytes(as: column) }) else {
      return Name(column)
    }
    return switch field.role {
    case .attribute(let path, _, _, _): Name(path: path)
    case .toOne(let name, _), .toOneEntity(let name, _), .order(let name, _): name
    case .owner(let entity, let name), .ownerOrder(let entity, let name): "\(entity).\(name)"
    default: Name(column)
    }
  }
}
