internal import CofferKit
internal import CoreDataModel

/// Shows what a command found out: as text for people or as lines of JSON for programs.
///
/// Everything goes to one stream, the answer, but for what is wrong: that is told on standard error.
protocol Report {
  /// Shows a summary of an export.
  func exported(_ summary: ExportSummary, to archive: String, status: ExitStatus) throws
  /// Shows what was written in another shape.
  func shaped(_ summary: DataExportSummary, to folder: String, status: ExitStatus) throws
  /// Shows a summary of an import.
  func imported(_ summary: ImportSummary, to store: String, status: ExitStatus) throws
  /// Shows a summary of the creation of a store.
  func created(_ summary: CreationSummary, at store: String, status: ExitStatus) throws
  /// Shows the findings that were the reason for a refusal.
  func refused(_ findings: [Finding]) throws
  /// Shows what a store or an archive holds.
  func inspected(_ inspection: Inspection, showsValues: Bool) throws
  /// Shows that a page was written about a store or an archive.
  func drew(_ report: StoreReport, showsValues: Bool, to path: String) throws
  /// Shows one difference between two stores.
  func difference(_ difference: Difference) throws
  /// Shows a summary of a comparison, with examples of the differences that were not shown yet.
  func compared(
    _ summary: ComparisonSummary, of files: (String, String), examples: DifferenceExamples,
    status: ExitStatus) throws
  /// Shows a store that a search has come upon.
  func found(_ store: FoundStore) throws
  /// Shows what a search has looked at.
  func searched(_ summary: FindSummary, status: ExitStatus) throws
  /// Shows an object.
  func shown(_ object: ShownObject, isFirst: Bool) throws
  /// Shows how many objects were shown, and whether there are more.
  func listedObjects(_ count: Int, hasMore: Bool, status: ExitStatus) throws
  /// Shows what a migration would do.
  func planned(_ plan: MigrationPlan, of file: String, status: ExitStatus) throws
  /// Shows a summary of a migration.
  func migrated(_ summary: MigrationSummary, to store: String, status: ExitStatus) throws
  /// Shows what keeps a migration from being possible.
  func prevented(_ problems: [MappingProblem]) throws
  /// Shows what a finding of a code means and what to do about it.
  func explained(_ code: FindingCode) throws
  /// Shows codes with their checks.
  func listed(_ codes: [FindingCode]) throws
  /// Shows a model.
  func shown(_ model: ManagedObjectModel, of path: String) throws
  /// Shows that a model was written.
  func wrote(_ model: ManagedObjectModel, as format: ModelFormat, to path: String) throws
  /// Shows what rules name in a model.
  func linted(
    _ problems: [ModelProblem], of path: String, entityCount: Int, status: ExitStatus) throws
  /// Shows what differs between two models, and whether a store can be carried from one to the other.
  func compared(
    _ difference: ModelDifference, _ mapping: ModelMapping, of files: (String, String),
    status: ExitStatus) throws
  /// Shows between which versions of a model stores can be carried.
  func routed(_ matrix: ModelMatrix, of path: String, status: ExitStatus) throws
  /// Shows what the work goes on in spite of.
  func warned(_ code: String, _ message: String) throws
  /// Shows why there is no answer.
  func failed(_ failure: Failure)
  /// Writes what has not been written yet.
  func finish() throws
}
