/// How an archive is written.
public struct ExportOptions: Sendable, Equatable {
  /// The level of compression: 0 stores, 1 is fastest, 6 is the default, 12 is smallest.
  public var level: Int
  /// How many threads compress; nil for as many as there are processors.
  ///
  /// The archive's bytes do not depend on it.
  public var threads: Int?

  /// Creates options.
  public init(level: Int = 6, threads: Int? = nil) {
    self.level = level
    self.threads = threads
  }
}
