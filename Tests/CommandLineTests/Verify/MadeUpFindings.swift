internal import CoreDataModel
internal import Foundation
internal import TestSupport

@testable internal import CofferCore
@testable internal import coffer

/// Findings without a store, and the reports about them.
struct MadeUpFindings {
  /// What is reported, in this order.
  var findings: [Finding] = []
  /// The checks that could not run.
  var notRun: [CheckName] = []
  /// The lowest severity that fails.
  var threshold = FailureThreshold.error

  /// One finding for each severity, and many of one code.
  static let mixed: MadeUpFindings = {
    var made = MadeUpFindings()
    made.findings = (1...7).map { number in
      Finding(
        .danglingRelationship, objectID: ManagedObjectID(entityName: "Person", primaryKey: number),
        propertyName: "manager", detail: number == 2 ? "key 99" : "")
    }
    made.findings += [
      Finding(.invalidValue, entityName: "Person", propertyName: "settings"),
      Finding(.historyVersionSet, detail: "12 rows"),
      Finding(.checkNotRun, detail: "required: the model is only inferred from the tables"),
      Finding(
        .wrongDestination, objectID: ManagedObjectID(entityName: "Person", primaryKey: 1),
        propertyName: "manager"),
    ]
    made.notRun = [.required]
    return made
  }()

  /// What the verification came to.
  var outcome: VerificationOutcome {
    var summary = VerificationSummary(kind: .store)
    summary.objectCount = 1234
    summary.checks = [.references, .inverses, .order]
    summary.checksNotRun = notRun
    summary.storeUUID = "3D68CB99-B4E7-4F85-B347-295CD7A4FCDC"
    for finding in findings { summary.counts[finding.severity, default: 0] += 1 }
    return VerificationOutcome(
      summary: summary, status: threshold.status(summary.count), elapsed: .milliseconds(1234))
  }

  /// What a report writes about the findings; with a failure, of a verification that broke off.
  func text(
    failure: Failure? = nil, of report: (StandardStream) throws -> any VerificationReport
  ) throws -> String {
    let folder = try TemporaryDirectory()
    let path = try folder.write([], to: "answer")
    guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
    defer { try? file.close() }
    let stream = StandardStream(descriptor: file.fileDescriptor, name: "answer")
    let report = try report(stream)
    for finding in findings { try report.found(finding) }
    if let failure { try report.failed(failure) } else { try report.verified(outcome) }
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// A failure in the middle of an archive.
  static let failure = Failure(
    CofferError(
      .truncatedArchive, path: "a<b", detail: "it ends too early", advice: "Fetch it again."),
    isInterrupted: false)
}
