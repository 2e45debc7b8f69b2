public import CoreDataModel

extension CofferError {
  /// The findings of a strict import; empty for errors with codes other than
  /// ``Code/strictFindings``.
  public var findings: [Finding] { evidence as? [Finding] ?? [] }
}
