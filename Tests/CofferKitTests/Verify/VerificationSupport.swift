internal import CofferKit
internal import TestSupport

/// What the verifier says of a store or an archive.
struct Verification {
  /// The findings in their order.
  let findings: [Finding]
  /// What it came to.
  let summary: VerificationSummary

  /// Verifies a file.
  init(of path: String, options: VerificationOptions = VerificationOptions()) throws {
    var found: [Finding] = []
    summary = try Verifier(options: options).verify(path) { found.append($0) }
    findings = found
  }

  /// Verifies a file and compares it with an older state.
  init(
    of path: String, against older: String, options: VerificationOptions = VerificationOptions()
  ) throws {
    var found: [Finding] = []
    summary = try Verifier(options: options).verify(path, against: older) { found.append($0) }
    findings = found
  }

  /// The findings as texts: severity, code, and the object with its property.
  var texts: [String] { findings.map(Self.text) }

  /// A finding as a text, such as `error dangling-relationship NoteEntity/p6.author`.
  static func text(_ finding: Finding) -> String {
    let place = [finding.objectID?.description ?? finding.entityName, finding.propertyName]
      .compactMap(\.self).joined(separator: ".")
    return [finding.severity.rawValue, finding.code.text, place].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Verifies the archive of a store.
  static func ofArchive(
    of store: String, options: VerificationOptions = VerificationOptions()
  ) throws -> Verification {
    let folder = try TemporaryDirectory()
    let archive = folder.file("Store.coffer.tar.gz")
    try StoreExporter().export(try PersistentStore(readingFrom: store), to: archive)
    return try Verification(of: archive, options: options)
  }
}

extension GeneratorDatabase {
  /// Removes all triggers, so that statements change nothing but what they say.
  func dropTriggers() throws {
    let names = try rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    for case .text(let name)? in names.map(\.first) {
      try run("DROP TRIGGER \"\(String(decoding: name, as: UTF8.self))\"")
    }
  }
}
