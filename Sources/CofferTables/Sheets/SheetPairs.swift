internal import CoreDataModel
internal import CoreDataStore

/// Inserts the pairs of a relationship that is to-many on both sides, as a data export writes them:
/// with the primary keys of both objects, and their positions.
final class SheetPairs {
  private let statement: SQLiteStatement
  /// The parameters of the columns of the file, in its order; 0 for those with no place in the store.
  private var parameters: [Int32] = []
  private let known: [String: Int32]
  private let parameterCount: Int32
  private let context: SheetContext
  private let index: Int
  private let end: Int

  /// Prepares the insertion.
  ///
  /// - Throws: `CofferError`: `invalid-table` if the relationship has no join table; mapped from SQLite's result code.
  init(
    _ relationship: Name, of entity: Name, _ context: SheetContext, at place: SheetPlace
  ) throws(CofferError) {
    let target = try context.list(relationship, of: entity, key: nil)
    guard let target, case .pairs(let index, let end) = target.storage else {
      throw place.error(
        "\(entity).\(relationship) is not a many-to-many relationship",
        advice: "Put the destinations into a column of the table of its objects.")
    }
    self.context = context
    (self.index, self.end) = (index, end)
    context.target?.noteUse(of: index)
    let pairs = context.schema.pairs[index]
    let (own, other) = (pairs.ends[end], pairs.ends[1 - end])
    var columns = [own.column, other.column]
    var known: [String: Int32] = ["source": 1, "destination": 2]
    for (name, column) in [("position", own.orderColumn), ("inverse.position", other.orderColumn)] {
      guard let column else { continue }
      columns.append(column)
      known[name] = Int32(clamping: columns.count)
    }
    self.known = known
    parameterCount = Int32(clamping: columns.count)
    statement = try context.database.prepareInsertion(
      table: pairs.name, columns: columns, hasRowNumbers: false)
  }

  /// Inserts the record that a reader has read.
  ///
  /// - Throws: `CofferError` with `invalid-table` that names the place of the error; mapped from SQLite's result code.
  func insert(_ reader: some SheetReader, at place: () -> SheetPlace) throws(CofferError) {
    for name in reader.columns[parameters.count...] {
      guard let parameter = known[name] else {
        var found = reader.header(place())
        found.column = name
        throw found.error(
          "it is not a column of pairs",
          advice:
            "Columns are source and destination, and for an order position and inverse.position.")
      }
      parameters.append(parameter)
      switch name {
      case "position": context.target?.orders.pairs.insert([index, end])
      case "inverse.position": context.target?.orders.pairs.insert([index, 1 - end])
      default: break
      }
    }
    let values = SheetValues(buffer: reader.buffer, dateFormat: nil)
    for parameter in 1...parameterCount { statement.bindNull(parameter) }
    var given = 0
    for field in reader.record.fields where field.value != .none {
      do {
        let parameter = parameters[field.column]
        statement.bind(try values.key(field.value), at: parameter)
        if parameter <= 2 { given += 1 }
      } catch {
        var found = place()
        found.column = reader.columns[field.column]
        throw found.error(error.detail, advice: error.advice)
      }
    }
    guard given == 2 else { throw place().error("a pair needs a source and a destination") }
    do throws(CofferError) {
      try statement.run()
    } catch {
      guard error.objectionToContent != nil else { throw error }
      throw place().error("the pair occurs twice")
    }
  }
}
