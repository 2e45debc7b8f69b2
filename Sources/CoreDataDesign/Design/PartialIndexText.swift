internal import CoreDataModel

/// Writes the condition of a partial index in SQL, as Core Data does.
///
/// Source: store-format, section 5.7.
struct PartialIndexText {
  /// The result for a condition.
  enum Outcome: Equatable {
    case condition(String)
    /// It names a property that has no column: Core Data makes no index then.
    case unknownKey
    /// It has a form that occurs in no known store.
    case unknownForm
  }

  /// Why a condition cannot be written.
  private enum Problem: Error {
    case unknownKey
    case unknownForm
  }

  let entity: Name
  let columns: DesignColumns

  /// The condition, without the word before it.
  func text(of predicate: ModelPredicate) -> Outcome {
    do throws(Problem) {
      return .condition(try condition(predicate))
    } catch {
      return error == .unknownKey ? .unknownKey : .unknownForm
    }
  }

  private func condition(_ predicate: ModelPredicate) throws(Problem) -> String {
    switch predicate {
    case .comparison(let left, let relation, let right):
      return try comparison(left, relation, right)
    case .not(let inner): return "NOT (\(try condition(inner)))"
    case .and(let all): return try group(all, " AND ")
    case .or(let all): return try group(all, " OR ")
    case .other: throw .unknownForm
    }
  }

  private func group(_ all: [ModelPredicate], _ word: String) throws(Problem) -> String {
    guard !all.isEmpty else { throw .unknownForm }
    let parts = try all.map { part throws(Problem) in try condition(part) }
    return "(\(parts.joined(separator: word)))"
  }

  private func comparison(
    _ left: ModelExpression, _ relation: ModelPredicate.Operator, _ right: ModelExpression
  ) throws(Problem) -> String {
    let symbols = ["<", "<=", ">", ">=", "=", "<>"]
    guard symbols.indices.contains(relation.rawValue), relation.modifier == 0,
      relation.options == 0
    else { throw .unknownForm }
    let (first, second) = (try operand(left), try operand(right))
    var symbol = symbols[relation.rawValue]
    if second == "NULL" { symbol = symbol == "=" ? "IS" : "IS NOT" }
    return "\(first) \(symbol) \(second)"
  }

  private func operand(_ expression: ModelExpression) throws(Problem) -> String {
    switch expression {
    case .keyPath(nil, let path):
      guard let column = columns.column(of: entity, path: Name(path)) else { throw .unknownKey }
      return column
    case .constant(nil), .constant(.null?): return "NULL"
    case .constant(.bool(let value)?): return value ? "1" : "0"
    case .constant(.integer(let value)?): return String(value)
    case .constant(.real(let value)?):
      guard value.isFinite else { throw .unknownForm }
      return String(value)
    case .constant(.string(let value)?):
      guard !value.unicodeScalars.contains("\0") else { throw .unknownForm }
      return "'\(value.replacing("'", with: "''"))'"
    default: throw .unknownForm
    }
  }
}
