/// A part of a store's write-ahead log that cannot be applied although transactions stand behind it.
package enum LogDefect: Sendable, Equatable {
  /// The header is wrong, so that nothing of the log counts.
  case header
  /// A frame is wrong, given with its number from 1 and the number of all frames.
  case frame(Int64, of: Int64)
}
