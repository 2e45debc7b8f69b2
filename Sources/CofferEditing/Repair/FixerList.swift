internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// All fixers of objects, in the order of their work.
enum FixerList {
  static var all: [any Fixer.Type] {
    [
      SchemaFixer.self, ValueFixer.self, DefaultFixer.self, ReferenceFixer.self,
      DestinationFixer.self, MismatchFixer.self, InverseFixer.self, PairFixer.self,
      OrderFixer.self, StoredEntityFixer.self, DerivedFixer.self, SpatialFixer.self,
      HistoryFixer.self, VersionFixer.self, NumberingFixer.self, ModelCacheFixer.self,
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

/// Writes the store's copy of its model from the given model.
struct ModelCacheFixer: Fixer {
  static let codes: Set<FindingCode> = [.missingModelCache, .unreadableModelCache]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard context.allowsSchemaChanges else {
      return .refused("a change file cannot contain the copy of the model")
    }
    guard let model = context.givenModel else { return .refused("no model was given") }
    guard try context.system.replaceModelCache(ModelCacheWriter.write(model)) else {
      return .refused("the store has no table for it")
    }
    return .repaired("write a copy of the given model")
  }
}

/// Removes pairs that lack an object.
struct PairFixer: Fixer {
  static let codes: Set<FindingCode> = [.danglingPair, .danglingReflexivePair]
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

/// Takes objects out of relationships that do not allow their entities.
struct DestinationFixer: Fixer {
  static let codes: Set<FindingCode> = [.wrongDestination]
  private let context: RepairContext

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    if let source = finding.objectID, let pairs = context.pairs(finding) {
      let count = try context.editor.removePairs(
        of: source.primaryKey, from: pairs, where: .entityIsNotAllowed)
      guard count > 0 else { return .settled }
      return .repaired(count == 1 ? "remove the pair" : "remove \(count) pairs")
    }
    guard let (object, index) = try context.relationship(finding) else {
      return .unknownRelationship
    }
    guard let destination = try context.destination(index, of: object),
      try !isAllowed(index, from: object, to: destination)
    else { return .settled }
    return try context.unset(index, of: object)
  }

  private func isAllowed(
    _ index: Int, from object: StoredObject, to destination: StoredObject
  ) throws(CofferError) -> Bool {
    let reference = context.schema.references[index]
    let top = reference.relationship?.destinationName ?? reference.inverse?.entity
    guard let top, let holder = try context.editor.entityNumber(of: object),
      let entity = try context.editor.entityNumber(of: destination)
    else { return false }
    return reference.holders.contains(holder)
      && context.schema.numbers(below: top).contains(entity)
  }
}

/// Creates the indexes and triggers that a new store of the model has.
struct SchemaFixer: Fixer {
  static let codes: Set<FindingCode> = [
    .missingIndex, .missingUniqueIndex, .missingTrigger, .missingSpatialTrigger,
  ]
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
      return .refused(StructureFixer.isOfSchema)
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
        // What came before it goes too.
        throw CofferError(
          .refused, path: context.store.path, detail: "SQLite refuses it: \(error.detail)")
      }
    }
    return .repaired("create \(names.joined(separator: ", "))")
  }
}

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

/// Removes dangling changes and references to texts, and corrects the rows of the persistent history.
struct HistoryFixer: Fixer {
  static let codes: Set<FindingCode> = [
    .changeWithoutTransaction, .changeOfUnknownEntity, .invalidChange, .danglingHistoryString,
    .invalidTransactionTime, .wrongHistoryEntity, .surplusChangedProperties,
  ]
  private let mending: HistoryMending
  /// One finding handles all findings of its code.
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
