internal import CofferCore
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// All fixers of objects, in the order of their work.
enum FixerList {
  /// The codes of values that an attribute cannot have.
  static let invalidValues: Set<FindingCode> = [
    .wrongStorageClass, .integerOutOfRange, .infiniteDate, .invalidBoolean, .invalidUUID,
    .invalidText, .invalidValue, .missingExternalData, .emptyExternalData,
  ]

  static var all: [Fixer] {
    [
      Fixer([
        .missingIndex, .missingUniqueIndex, .missingTrigger, .missingSpatialTrigger,
      ]) { SchemaFixer($0).fix },
      Fixer(invalidValues) { $0.mendValue },
      Fixer([.missingValueWithDefault]) { $0.setDefault },
      Fixer([.danglingRelationship, .invalidReference]) { $0.mendReference },
      Fixer([.wrongDestination]) { $0.removeDestination },
      Fixer([.inverseMismatch]) { $0.unsetMismatch },
      Fixer([.inverseMissing]) { $0.setInverse },
      Fixer([.danglingPair, .danglingReflexivePair]) { PairFixer($0).fix },
      Fixer([
        .duplicateOrderKey, .missingOrderKey, .invalidOrderKey, .surplusOrderKey,
      ]) { OrderFixer($0).fix },
      Fixer([.wrongDestinationEntity]) { $0.storeEntity },
      Fixer([.derivedValueMismatch, .derivedValueMissing]) { $0.computeValue },
      Fixer([.spatialIndexMismatch]) { $0.writeSpatialEntry },
      Fixer([
        .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange,
        .danglingHistoryString, .invalidTransactionTime, .wrongHistoryEntity,
        .surplusChangedProperties,
      ]) { HistoryFixer($0).fix },
      Fixer([.invalidVersion, .versionBehindHistory]) { $0.mendVersion },
      Fixer(NumberingFixer.codes) { NumberingFixer($0).fix },
      Fixer([.missingModelCache, .unreadableModelCache]) { $0.writeModelCache },
    ]
  }

  /// The turn at which the findings of a code are fixed; nil for a code without a fixer.
  ///
  /// Missing parts of the store come first, then the app's own fixes; computed values come after their
  /// sources.
  static func turn(of code: FindingCode, _ own: [any ObjectFix]) -> Int? {
    let structure = StructureFixer.codes
    return structure.firstIndex(of: code)
      ?? own.firstIndex { $0.code == code }.map { structure.count + $0 }
      ?? all.firstIndex { $0.codes.contains(code) }.map { structure.count + own.count + $0 }
  }
}

/// Removes pairs that lack an object.
struct PairFixer {
  private let context: RepairContext
  /// The sources whose incomplete pairs were all handled by an earlier finding.
  private let mended = MendedSubjects<StoredObject>()

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let source = finding.objectID, let index = context.pairs(finding) else {
      return .unknownRelationship
    }
    // Not a table of objects, but equivalent: the pairs of a source.
    let subject = StoredObject(table: index, key: source.primaryKey)
    if mended.count(subject) != nil { return .settled }
    let count = try context.editor.removePairs(
      of: source.primaryKey, from: index, where: .objectIsMissing)
    mended.note(subject, count)
    guard count > 0 else { return .settled }
    return .repaired(count == 1 ? "remove the pair" : "remove \(count) pairs")
  }
}

/// Creates the indexes and triggers that a new store of the model has.
struct SchemaFixer {
  private let context: RepairContext
  private let statements: [SchemaStatement]

  init(_ context: RepairContext) {
    self.context = context
    let layout = context.store.layout
    let design = StoreDesign(
      model: layout.model, numbers: layout.numbering.numbers,
      era: context.store.metadata.era ?? .newest)
    statements = design.indexes + design.attributeTriggers.flatMap { $0.triggers }
  }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard context.allowsSchemaChanges else {
      return .refused(StructureFixer.schemaReason)
    }
    // The finding lists the missing parts.
    let names = finding.detail.split(separator: ", ").map(String.init)
    for name in names {
      guard let statement = statements.first(where: { $0.name.hasSameBytes(as: name) }) else {
        return .refused("its form is not known")
      }
      do throws(CofferError) {
        try context.editor.statements.run(statement.sql)
      } catch {
        // The statements before it are undone too.
        throw CofferError(
          .refused, path: context.store.path, detail: "SQLite refuses it: \(error.detail)")
      }
    }
    return .repaired("create \(names.joined(separator: ", "))")
  }
}

/// Removes dangling changes and references to texts, and corrects the rows of the persistent history.
struct HistoryFixer {
  private let mending: HistoryMending
  private let mended = MendedSubjects<FindingCode>()

  init(_ context: RepairContext) { mending = HistoryMending(context.editor) }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    let count: Int
    if let known = mended.count(finding.code) {
      count = known
    } else {
      count = try mend(finding.code)
      mended.note(finding.code, count)
    }
    guard count > 0 else { return .settled }
    let change =
      switch finding.code {
      case .danglingHistoryString: "unset the reference"
      case .invalidTransactionTime: "set the time of the neighboring transaction"
      case .wrongHistoryEntity: "set the number of the table's entity"
      case .surplusChangedProperties: "cut the list of changed properties"
      default: "remove the change"
      }
    return .repaired(change)
  }

  private func mend(_ code: FindingCode) throws(CofferError) -> Int {
    switch code {
    case .changeWithoutTransaction: try mending.removeChangesWithoutTransaction()
    case .changeOfUnknownEntity: try mending.removeChangesOfUnknownEntities()
    case .invalidChange: try mending.removeInvalidChanges()
    case .invalidTransactionTime: try mending.setMissingTimes()
    case .wrongHistoryEntity: try mending.renumberRows()
    case .surplusChangedProperties: try mending.cutMasks()
    default: try mending.unsetMissingTexts()
    }
  }
}

/// Fixes that need nothing but the copy.
extension RepairContext {
  /// Writes the store's copy of its model from the given model.
  func writeModelCache(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard allowsSchemaChanges else {
      return .refused("a change file cannot contain the copy of the model")
    }
    guard let model = givenModel else { return .refused("no model was given") }
    try system.replaceModelCache(ModelCacheWriter.write(model))
    return .repaired("write a copy of the given model")
  }

  /// Computes derived attributes again.
  func computeValue(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = object(finding), let attribute = finding.propertyName,
      let isChanged = try editor.compute(attribute, of: object)
    else { return .refused("its expression is not known") }
    return isChanged ? .repaired("compute the value") : .settled
  }

  func writeSpatialEntry(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = object(finding), let attribute = finding.propertyName,
      let isChanged = try editor.writeSpatialEntry(attribute, of: object)
    else { return .refused("the index itself is damaged") }
    guard isChanged else { return .settled }
    return .repaired(
      try editor.lookup.contains(object) ? "write the entry again" : "remove the entry")
  }

  /// Gives objects valid versions.
  func mendVersion(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let object = object(finding) else { return .refused("its entity is not known") }
    guard let version = try editor.mendVersion(of: object) else { return .settled }
    return .repaired("set the version counter to \(version)")
  }
}
