internal import Synchronization

/// Observes the rows of one table, on any thread and in any order.
final class TablePrefilter: DecodedRowsObserver {
  /// The state, in one struct so that it is accessed once for many rows.
  private struct Seen {
    var values: PrefilteredValues
    /// The keys of the table's objects; nil for a join table.
    var keys: ObjectKeys?
    var references: ContiguousArray<PrefilteredReference>

    mutating func take(_ cells: ContiguousArray<DecodedValue>, _ range: Range<Int>) {
      values.take(cells, range)
      var key: Int64 = 0
      var entity: Int?
      if keys != nil {
        let number = values.integer(PrefilteredValues.entitySlot)
        entity = keys?.insert(values.integer(PrefilteredValues.keySlot), number)
        guard entity != nil else { return }
        key = values.integers[PrefilteredValues.keySlot]
      }
      for index in references.indices {
        references[index].take(key: key, entity: entity, values)
      }
    }
  }

  private let seen: Mutex<Seen>

  /// - Parameters:
  ///   - columns: the indexes of the columns whose values matter, by slot.
  ///   - fieldCount: the number of columns.
  ///   - keys: the set for the keys of objects; nil for a join table.
  ///   - references: the references.
  init(
    columns: [Int], fieldCount: Int, keys: ObjectKeys?, references: [PrefilteredReference]
  ) {
    referenceCount = references.count
    seen = Mutex(
      Seen(
        values: PrefilteredValues(columns: columns, fieldCount: fieldCount), keys: keys,
        references: ContiguousArray(references)))
  }

  /// The keys of the table's objects; nil for a join table.
  var keys: ObjectKeys? { seen.withLock { $0.keys } }
  /// The number of references.
  let referenceCount: Int

  /// A reference with the known facts about it.
  func reference(_ index: Int) -> PrefilteredReference { seen.withLock { $0.references[index] } }

  func take(_ rows: DecodedRows) { take(rows, rows.rows.indices) }

  /// Observes some of the rows.
  func take(_ decoded: DecodedRows, _ rows: Range<Int>) {
    seen.withLock { seen in
      for row in rows { seen.take(decoded.cells, decoded.range(of: row)) }
    }
  }
}
