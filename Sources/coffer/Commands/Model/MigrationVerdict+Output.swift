internal import CofferKit

extension MigrationVerdict {
  /// The verdict as a clause about stores, which are called `it` or `them`; old names are those that could be kept.
  func text(_ stores: String, hasOldNames: Bool = true) -> String {
    switch self {
    case .possible: "Core Data can migrate \(stores), and so can coffer"
    case .needsExample:
      "Core Data can migrate \(stores); coffer needs a store of the new model (--like)"
        + (hasOldNames ? " or the old names (--keep-names)" : "")
    case .losesObjects:
      "Core Data can migrate \(stores), and so can coffer with --allow-loss: most objects are left behind"
    case .coreDataOnly: "Core Data can migrate \(stores); coffer cannot"
    case .customMapping: "only a custom mapping can migrate \(stores)"
    case .impossible: "neither Core Data nor coffer can migrate \(stores)"
    }
  }

  var status: ExitStatus {
    switch self {
    case .possible: .done
    case .needsExample, .losesObjects, .coreDataOnly: .coreDataOnly
    case .customMapping, .impossible: .findings
    }
  }

  /// The status of a command that migrates, or previews a migration.
  var statusOfMigration: ExitStatus { status == .findings ? .refused : status }
}
