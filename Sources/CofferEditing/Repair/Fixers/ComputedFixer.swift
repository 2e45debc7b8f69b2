internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Computes derived attributes again.
struct DerivedFixer: Fixer {
  static let codes: Set<FindingCode> = [.derivedValueMismatch, .derivedValueMissing]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = context.object(finding), let attribute = finding.propertyName,
      let isChanged = try context.editor.compute(attribute, of: object)
    else { return .refused("its expression is not known") }
    return isChanged ? .repaired("compute the value") : .settled
  }
}

/// Writes entries of spatial indexes again.
struct SpatialFixer: Fixer {
  static let codes: Set<FindingCode> = [.spatialIndexMismatch]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = context.object(finding), let attribute = finding.propertyName,
      let isChanged = try context.editor.writeSpatialEntry(attribute, of: object)
    else { return .refused("the index itself is damaged") }
    guard isChanged else { return .settled }
    return .repaired(
      try context.editor.lookup.contains(object) ? "write the entry again" : "remove the entry")
  }
}

/// Gives objects valid versions.
struct VersionFixer: Fixer {
  static let codes: Set<FindingCode> = [.invalidVersion, .versionBehindHistory]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = context.object(finding) else { return .refused("its entity is not known") }
    guard let version = try context.editor.mendVersion(of: object) else { return .settled }
    return .repaired("set the version counter to \(version)")
  }
}
