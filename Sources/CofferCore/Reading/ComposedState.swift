/// A state of a store that is in no file; each read composes the rows it needs.
///
/// Its path represents it. A file exists only after ``write()``.
package protocol ComposedState: AnyObject, Sendable {
  /// The path of its archive.
  var path: String { get }

  /// Opens the state as a source of rows, which lives as long as this object.
  ///
  /// - Parameters:
  ///   - environment: how it is read.
  ///   - loadsOutOfLineValues: whether to read values in their own entries with their row.
  /// - Returns: the source.
  /// - Throws: `CofferError` if it cannot be put together, or with `model-mismatch`.
  func source(_ environment: WorkEnvironment, loadsOutOfLineValues: Bool) throws -> any RowSource

  /// Writes its archive, unless it is there.
  func write() throws
}

/// A composed state in an environment, where it equals itself alone.
struct KnownState: Sendable, Equatable {
  let state: any ComposedState

  static func == (one: Self, other: Self) -> Bool { one.state === other.state }
}
