/// Observes the rows of one table as they are inserted.
final class TablePrefilter {
  /// The state, in one struct so that it is accessed once for many rows.
  private struct Seen {
    var values: PrefilteredValues
    /// The keys of the table's objects; nil for a table of pairs.
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

  private var seen: Seen

  /// - Parameters:
  ///   - columns: the indexes of the columns whose values matter, by slot.
  ///   - fieldCount: the number of columns.
  ///   - keys: the set for the keys of objects; nil for a table of pairs.
  ///   - references: the references.
  init(
    columns: [Int], fieldCount: Int, keys: ObjectKeys?, references: [PrefilteredReference]
  ) {
    seen = Seen(
      values: PrefilteredValues(columns: columns, fieldCount: fieldCount), keys: keys,
      references: ContiguousArray(references))
  }

  /// The keys of the table's objects; nil for a table of pairs.
  var keys: ObjectKeys? { seen.keys }
  /// The number of references.
  var referenceCount: Int { seen.references.count }

  /// A reference with what is known about it.
  func reference(_ index: Int) -> PrefilteredReference { seen.references[index] }

  /// Observes inserted rows.
  func take(_ decoded: DecodedRows, _ rows: Range<Int>) {
    for row in rows { seen.take(decoded.cells, decoded.range(of: row)) }
  }
}
