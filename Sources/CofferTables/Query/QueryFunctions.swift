internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// The functions that views use for values which SQL cannot write.
enum QueryFunctions {
  /// A date as ISO 8601 in UTC.
  static let date = "coffer_date"
  /// A UUID of 16 bytes as text.
  static let uuid = "coffer_uuid"

  /// Adds the functions to a connection.
  static func add(to database: SQLiteDatabase) {
    database.addFunction(date) { value in
      switch value {
      case .real(let seconds): text(of: seconds) ?? value
      case .integer(let seconds): text(of: Double(seconds)) ?? value
      default: value
      }
    }
    database.addFunction(uuid) { value in
      guard case .blob(let bytes) = value, let text = UUIDText.text(bytes) else { return value }
      return .text(Array(text.utf8))
    }
  }

  private static func text(of seconds: Double) -> SQLiteValue? {
    DateText.text(of: seconds).map { .text(Array($0.utf8)) }
  }
}
