/// A part of a store's write-ahead log that cannot be applied although complete transactions follow
/// it.
package enum LogDefect: Sendable, Equatable {
  /// The header is wrong, so all of the log is ignored.
  case header
  /// A frame is wrong, given by its number from 1 and the number of all frames.
  case frame(Int64, of: Int64)
}
