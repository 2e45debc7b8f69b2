public import CoreDataModel

extension CofferError {
  /// The findings of a strict import, or of a changed store; empty for errors with codes other than
  /// ``Code/strictFindings`` and ``Code/newFindings``.
  public var findings: [Finding] { evidence as? [Finding] ?? [] }
}
