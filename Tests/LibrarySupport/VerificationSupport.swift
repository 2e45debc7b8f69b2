package import CofferKit
package import TestSupport

/// The report of the verifier about a store or an archive.
package struct Verification {
  /// The findings in their order.
  package let findings: [Finding]
  /// What it came to.
  package let summary: VerificationSummary

  /// Verifies a file.
  package init(of path: String, options: VerificationOptions = VerificationOptions()) throws {
    var found: [Finding] = []
    summary = try Verifier(options: options).verify(path) { found.append($0) }
    findings = found
  }

  /// Verifies a file and compares it with an older state.
  package init(
    of path: String, against older: String, options: VerificationOptions = VerificationOptions()
  ) throws {
    var found: [Finding] = []
    summary = try Verifier(options: options).verify(path, against: older) { found.append($0) }
    findings = found
  }

  /// The findings as texts: severity, code, and the object with its property.
  package var texts: [String] { findings.map(Self.text) }

  /// A finding as a text, such as `error dangling-relationship NoteEntity/p6.author`.
  package static func text(_ finding: Finding) -> String {
    let place = [
      finding.objectID?.description ?? finding.entityName?.text, finding.propertyName?.text,
    ]
    .compactMap(\.self).joined(separator: ".")
    return [finding.severity.rawValue, finding.code.text, place].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Verifies the archive of a store.
  package static func ofArchive(
    of store: String, options: VerificationOptions = VerificationOptions()
  ) throws -> Verification {
    let folder = try TemporaryDirectory()
    let archive = folder.file("Store.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store), to: archive)
    return try Verification(of: archive, options: options)
  }
}

extension VerificationOptions {
  /// Options with a number of additional threads, at least one of them even for a small store.
  package static func threads(_ count: Int) -> VerificationOptions {
    var options = VerificationOptions()
    options.threads = count
    options.smallestDividedStore = 0
    return options
  }
}

/// The report of a verification, or its failure.
package struct VerificationOutcome: Equatable {
  /// The findings in their order, including findings before an error.
  private(set) var findings: [Finding] = []
  private var summary: VerificationSummary?
  private var error: CofferError?

  /// Verifies a file with a number of threads besides the caller's.
  package init(of path: String, threads: Int) throws {
    var found: [Finding] = []
    do {
      summary = try Verifier(options: .threads(threads)).verify(path) { found.append($0) }
    } catch let failure as CofferError {
      error = failure
    }
    findings = found
  }

  /// Whether anything is wrong.
  package var isNoticed: Bool { error != nil || !findings.isEmpty }
}

extension GeneratorDatabase {
  /// Removes all triggers, so that statements change nothing but what they say.
  package func dropTriggers() throws {
    let names = try rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for case .text(let name)? in names.map(\.first) {
      try run("DROP TRIGGER \"\(String(decoding: name, as: UTF8.self))\"")
    }
  }
}
