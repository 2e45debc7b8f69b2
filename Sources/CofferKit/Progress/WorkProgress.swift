/// How far a long piece of work is.
public struct WorkProgress: Sendable, Equatable {
  /// What is being done.
  public var phase: WorkPhase
  /// How many units of the phase are done: objects, rows, files; 0 for phases that count nothing.
  public var completed: Int
  /// How many units the phase has; nil while that is not known.
  ///
  /// It may be an estimate until the phase ends, and is never less than ``completed``.
  public var total: Int?
  /// How many bytes of the archive's entries, before compression, were written or read since the work
  /// began; nil for work without an archive.
  public var byteCount: Int?

  /// Creates a report; a total that is less than what is done counts for as much.
  public init(
    _ phase: WorkPhase, completed: Int = 0, total: Int? = nil, byteCount: Int? = nil
  ) {
    self.phase = phase
    self.completed = completed
    self.total = total.map { max($0, completed) }
    self.byteCount = byteCount
  }

  /// How much of the phase is done, from 0 to 1; nil while the total is not known.
  public var fraction: Double? {
    guard let total else { return nil }
    return total == 0 ? 1 : Double(completed) / Double(total)
  }
}
