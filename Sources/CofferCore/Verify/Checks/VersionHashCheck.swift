internal import CoreDataModel
internal import CoreDataStore

/// Checks that every entity of the model has a version hash, and that the digest and the model's
/// checksum match the hashes.
///
/// The hashes themselves cannot be checked: how Core Data computes them is not public.
final class VersionHashCheck: RunCheck, Check {
  static let name = CheckName.versionHashes
  /// The number of bytes of a hash.
  private static let hashLength = 32

  func finish() throws {
    guard let metadata = context.administration.metadata.first else {
      return try context.reportNotRun(Self.name, "the store metadata is missing")
    }
    guard !metadata.propertyList.isEmpty, metadata.propertyListError == nil else {
      return try context.reportNotRun(Self.name, "the store metadata cannot be read")
    }
    try checkNames(metadata.modelVersionHashes)
    let expected = VersionHashDigest(metadata.modelVersionHashes)
    if let digest = metadata.modelVersionHashesDigest, digest != expected.digest {
      try context.report(.versionDigestMismatch)
    }
    if let checksum = metadata.modelVersionChecksum, checksum != expected.checksum {
      try context.report(.versionChecksumMismatch)
    }
  }

  private func checkNames(_ hashes: [Name: VersionHash]) throws {
    let entities = context.subject.model.entities.map(\.name)
    if hashes.isEmpty, !entities.isEmpty {
      return try context.report(.noVersionHashes)
    }
    let missing = entities.filter { hashes[$0] == nil }
    let surplus = Set(hashes.keys).subtracting(entities).sorted()
    // An inferred model has the names in the table of entity numbers, where a renamed entity keeps
    // its old name.
    if context.subject.modelIsInferred, !missing.isEmpty, missing.count == surplus.count {
      return try context.reportNotRun(
        Self.name, "without a model, renamed entities cannot be recognized")
    }
    for name in missing { try context.report(Finding(.missingVersionHash, entityName: name)) }
    for name in surplus { try context.report(Finding(.surplusVersionHash, entityName: name)) }
    for name in entities {
      guard let count = hashes[name]?.bytes.count, count != Self.hashLength else { continue }
      try context.report(
        .missingVersionHash, entityName: name,
        detail: "it has \(count) bytes instead of \(Self.hashLength)")
    }
  }
}
