internal import CoreDataArchive

/// A defect in a line and its position.
package struct LineError: Error, Equatable {
  /// The offset in bytes from the start of the line.
  package var offset: Int
  /// The defect, without values of the user's data.
  package var detail: String
  /// The exceeded limit; nil for other defects.
  var limit: ArchiveLimits.Name?

  /// Creates an error for valid JSON that does not fit the table.
  init(offset: Int, detail: String) {
    self.offset = offset
    self.detail = detail
  }

  /// The error of a line that asks for more than is allowed.
  init(offset: Int, exceeding limit: ArchiveLimits.Name, _ detail: String) {
    self.offset = offset
    self.detail = detail
    self.limit = limit
  }

  /// The error for a line that is not JSON, or exceeds a limit.
  init(_ error: JSONError) {
    offset = error.offset
    if error.kind == .tooDeep {
      (detail, limit) = ("it is nested more deeply", .lineDepth)
    } else {
      detail = "not valid JSON: \(error.kind.rawValue)"
    }
  }
}
