internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Writes the store's copy of its model from a model that was given.
struct ModelCacheFixer: Fixer {
  static let codes: Set<FindingCode> = [.missingModelCache, .unreadableModelCache]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard context.allowsSchemaChanges else {
      return .refused("a file of changes cannot hold the copy of the model")
    }
    guard let model = context.givenModel else { return .refused("no model was given") }
    guard try context.system.replaceModelCache(ModelCacheWriter.write(model)) else {
      return .refused("the store has no table for it")
    }
    return .repaired("write the copy of the model that was given")
  }
}
