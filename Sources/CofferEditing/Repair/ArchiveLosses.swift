internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The losses of a damaged archive, as the document of an archive without the lost data.
struct ArchiveLosses {
  private let tables: StoreTables
  private let counter: RowCounter
  private var lost: [String: SalvageDocument.Table] = [:]
  private var files: [String] = []

  init(_ tables: StoreTables, _ database: SQLiteDatabase) {
    self.tables = tables
    counter = RowCounter(database)
  }

  /// Makes the document: one without tables and files if nothing is known to be lost.
  func document(
    _ report: SalvageReport, _ findings: [Finding]
  ) throws(CofferError) -> SalvageDocument {
    var losses = self
    for entry in report.lostEntries { try losses.add(entry) }
    for finding in findings where finding.code == .lostEntryValue { try losses.add(finding) }
    var document = SalvageDocument()
    document.tables = tables.sources.compactMap { losses.lost[$0.shape.folder] }
    document.files = Array(losses.files.prefix(SalvageDocument.listLimit))
    return document
  }

  private mutating func add(_ entry: SalvageReport.LostEntry) throws(CofferError) {
    if ExternalEntryName.isFile(entry.name) { return files.append(entry.name) }
    guard let name = PartEntryName(entry.name) else { return }
    guard name.isLines else {
      // Findings list lost values of objects, with their keys.
      if isOfObjects(name.folder) { return }
      return try change(name.folder) { $0.lostValueCount += 1 }
    }
    let attributes = entry.attributes
    let objects = attributes.objects.reduce(0) {
      $0.addingReportingOverflow(max(0, $1.count)).partialValue
    }
    let count = max(0, attributes.rows ?? objects)
    try change(name.folder) { table in
      table.lostCount = table.lostCount.addingReportingOverflow(count).partialValue
      // Without an index, the number of rows of a part is unknown.
      if count == 0 { table.isExact = false }
      guard let first = attributes.firstKey, let last = attributes.lastKey, first <= last,
        table.rows.count < SalvageDocument.listLimit
      else { return }
      let span = last.subtractingReportingOverflow(first)
      table.rows.append(
        LostRows(
          first: first, last: last,
          isExact: !span.overflow && span.partialValue == Int64(clamping: count) - 1))
    }
  }

  private func isOfObjects(_ folder: String) -> Bool {
    tables.sources.contains { $0.shape.folder == folder && $0.shape.kind == .entity }
  }

  private mutating func add(_ finding: Finding) throws(CofferError) {
    guard let object = finding.objectID, let property = finding.propertyName,
      let root = tables.sources.first(where: { source in
        source.shape.kind == .entity
          && tables.entities.lineage(of: object.entityName)
            .contains(source.shape.entityName ?? "")
      })
    else { return }
    try change(root.shape.folder) { table in
      table.lostValueCount += 1
      guard table.values.count < SalvageDocument.listLimit else { return }
      table.values.append(SalvageDocument.Value(key: object.primaryKey, property: property))
    }
  }

  private mutating func change(
    _ folder: String, _ body: (inout SalvageDocument.Table) -> Void
  ) throws(CofferError) {
    guard let shape = tables.sources.first(where: { $0.shape.folder == folder })?.shape else {
      return
    }
    let readCount: Int
    if let known = lost[folder]?.readCount {
      readCount = known
    } else {
      readCount = try counter.rows(of: shape.storedName)
    }
    var table =
      lost[folder]
      ?? SalvageDocument.Table(
        folder: folder, entityName: shape.entityName, readCount: readCount, lostCount: 0,
        isExact: true, rows: [], lostValueCount: 0, values: [])
    body(&table)
    lost[folder] = table
  }
}
