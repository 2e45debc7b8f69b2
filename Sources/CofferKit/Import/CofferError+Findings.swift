public import CoreDataModel

extension CofferError {
  /// What a strict import found; empty for errors of other codes than ``Code/strictFindings``.
  public var findings: [Finding] { evidence as? [Finding] ?? [] }
}
