public import CoreDataStore

extension PersistentStore {
  /// What is wrong with the store's own copy of its model, in the words of a verification; nil if it can be
  /// used, or if nothing is to be expected of a store of this framework.
  public var modelDefect: String? {
    if let modelProblem {
      return "\(FindingCode.unreadableModelCache.meaning): \(modelProblem.detail)"
    }
    guard model.source == .inferred, unreadableParts.isEmpty, let frameworkVersion,
      FrameworkEra(version: frameworkVersion).keepsModel
    else { return nil }
    return FindingCode.missingModelCache.meaning
  }
}
