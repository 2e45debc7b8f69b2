internal import CoreDataLayout
internal import CoreDataStore

/// Finds changes whose mask names more properties than their entities have.
///
/// Whether the order of the properties is known for the store's framework shows after all rows in an
/// archive. So the changes are counted for each entity.
final class ChangeMaskVisitor: RowVisitor {
  private struct Excess {
    var count = 0
    var first: Int64 = 0
  }

  private let entityColumn: Int
  private let column: Int
  private let context: VerificationContext
  /// The number of properties by entity index; nil where it is not known.
  private let propertyCounts: [Int?]
  private var excesses: [Excess]

  /// Creates a visitor of the table of changes; nil if it has no masks, or the model is only inferred.
  init?(_ table: VerifiedTable, _ columns: ChangeColumns, _ context: VerificationContext) {
    guard !context.subject.modelIsInferred,
      let column = table.column(named: StoredName.changedProperties)
    else { return nil }
    self.column = column
    self.context = context
    entityColumn = columns.entity
    let model = context.subject.model
    propertyCounts = (0..<context.entities.count).map { index in
      guard let name = context.entities.name(UInt16(clamping: index)), model[name] != nil,
        let table = context.table(ofEntity: name)
      else { return nil }
      return RecordedProperty.order(of: name, in: model, columns: table.shape.fields.map(\.role))
        .count
    }
    excesses = Array(repeating: Excess(), count: context.entities.count)
  }

  func visit(_ row: Row) {
    guard case .blob = row.storageClass(column), let number = row.integer(entityColumn) else {
      return
    }
    let entity = Int(context.entities.index(of: number))
    guard entity < propertyCounts.count, let count = propertyCounts[entity] else { return }
    let length = (count + 7) / 8
    guard row.size(column) > length || row.size(column) == length && namesMore(row, than: count)
    else { return }
    if excesses[entity].count == 0 { excesses[entity].first = row.primaryKey ?? 0 }
    excesses[entity].count &+= 1
  }

  /// Whether the last byte of a mask has a bit behind that of the last property.
  private func namesMore(_ row: Row, than count: Int) -> Bool {
    guard count % 8 != 0, let mask = unsafe row.bytes(column), let last = unsafe mask.last else {
      return false
    }
    return last & 0xff >> UInt8(count % 8) != 0
  }

  /// Reports what was found, once all rows were seen.
  func report(to context: VerificationContext) throws {
    guard let era = context.administration.metadata.first?.era, era.hasKnownProperties else {
      return
    }
    for (index, excess) in excesses.enumerated() where excess.count > 0 {
      let others = excess.count > 1 ? " and \(excess.count - 1) more" : ""
      try context.report(
        Finding(
          .surplusChangedProperties, entityName: context.entities.name(UInt16(clamping: index)),
          detail: "change \(excess.first)\(others)"))
    }
  }
}
