internal import CofferComparison
internal import CofferCore
internal import CofferEditing
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore

/// Collects the tables with changes that the pages of the store did not show, while the rows of two states are
/// compared.
final class MissedChanges {
  private let names: [String]
  /// The changes that the pages show, by the names of the tables.
  private var shown: [Name: LeafComparison.News] = [:]
  private var missed: Set<Name> = []

  /// Begins without missed changes.
  init(_ news: LeafComparison, _ sources: [TableSource], _ documents: ChangesDescription) {
    names = sources.map(\.shape.storedName)
    for source in sources {
      guard var found = news.news[Name(source.plan.table)] else { continue }
      let columns = StateRecorder.columns(of: source.shape, documents)
      if found != .nothing, !KeptParts.isNumbered(source, columns) { found = .anything }
      shown[Name(source.shape.storedName)] = found
    }
  }

  var tables: [String] { names.filter { missed.contains(Name($0)) } }

  /// Notes a row that differs, by the integers of its record; there are none for rows without a key.
  func note(_ table: Name, _ integers: ContiguousArray<Int64>) {
    switch shown[table] {
    case nil, .anything: return
    case .nothing: missed.insert(table)
    case .rows(let ranges):
      guard let number = integers.first, !missed.contains(table) else { return }
      // The first range that does not end before the row.
      var (low, high) = (ranges.startIndex, ranges.endIndex)
      while low < high {
        let middle = low + (high - low) / 2
        if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
      }
      if low == ranges.endIndex || !ranges[low].contains(number) { missed.insert(table) }
    }
  }

  /// Compares all rows of two recorded states with the same structure.
  func compare(_ before: StateFile, _ after: StateFile, _ documents: ChangesDescription) throws {
    for shape in documents.layout.tables {
      let name = shape.storedName
      let key = KeyRule(shape, schema: documents.schema).columns
      let old = before.rows(of: name, keyCount: key.count)
      let new = after.rows(of: name, keyCount: key.count)
      if !key.isEmpty {
        try StateDifference.run(old, new) { _, integers in note(Name(name), integers) }
      } else if try !StateDifference.isSame(old, new) {
        note(Name(name), [])
      }
    }
  }
}
