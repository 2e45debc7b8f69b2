internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Creates the indexes and triggers that a fresh store of the model has.
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
    // The finding lists what is missing.
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
