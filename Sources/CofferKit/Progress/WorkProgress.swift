/// The progress of long work.
public struct WorkProgress: Sendable, Equatable {
  /// The current phase.
  public var phase: WorkPhase
  /// The number of completed units: objects, rows, files; 0 for phases without units.
  public var completed: Int
  /// The number of units in the phase; nil if it is not known yet.
  ///
  /// It may be an estimate until the phase ends, and is never less than ``completed``.
  public var total: Int?
  /// The size in bytes of the archive's entries, before compression, read or written since the work
  /// began; nil for work without an archive.
  public var byteCount: Int?

  /// Creates a report; a total below ``completed`` is raised to it.
  public init(
    _ phase: WorkPhase, completed: Int = 0, total: Int? = nil, byteCount: Int? = nil
  ) {
    self.phase = phase
    self.completed = completed
    self.total = total.map { max($0, completed) }
    self.byteCount = byteCount
  }

  /// The completed fraction of the phase, from 0 to 1; nil if the total is not known.
  public var fraction: Double? {
    guard let total else { return nil }
    return total == 0 ? 1 : Double(completed) / Double(total)
  }
}
