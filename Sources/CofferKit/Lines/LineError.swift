internal import CoreDataArchive
internal import CoreDataModel

/// What is wrong with a line, and where in it.
package struct LineError: Error, Equatable {
  /// The offset in bytes from the beginning of the line.
  package var offset: Int
  /// What is wrong, without values of the user's data.
  package var detail: String
  /// The limit that is exceeded; nil where something else is wrong.
  var limit: ArchiveLimits.Name?

  /// An error of a line that can be read but makes no sense.
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

  /// The error of a line that is not JSON, or more of it than is allowed.
  init(_ error: JSONError) {
    offset = error.offset
    if error.kind == .tooDeep {
      (detail, limit) = ("it nests deeper", .lineDepth)
    } else {
      detail = "not valid JSON: \(error.kind.rawValue)"
    }
  }
}
