package import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// The versions of one model: a folder of compiled models (`.momd`) or of sources
/// (`.xcdatamodeld`).
///
/// Source of the two forms: store-format, section 4.
package struct ModelBundle: Sendable {
  /// One version.
  package struct Version: Sendable, Equatable {
    /// The name of the version, without the file extension.
    package let name: String
    /// The path of the file or folder.
    package let path: String
  }

  /// The path of the folder.
  package let path: String
  /// The versions in natural order: `Model 2` precedes `Model 10`.
  package let versions: [Version]
  /// The name of the current version; nil if the folder has several and does not specify one.
  package let currentVersionName: String?
  /// The version hashes of the entities by version and entity; empty for sources, which have none.
  package let versionHashes: [Name: [Name: VersionHash]]

  /// Reads the description of a folder's versions.
  ///
  /// To read a model, use ``model(version:)``.
  ///
  /// - Returns: nil if the path is not a folder of versions.
  /// - Throws: ``CofferError`` if the description is unreadable.
  package init?(path: String) throws(CofferError) {
    guard FileSync.isFolder(path),
      let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    else { return nil }
    self.path = path
    let compiled = Self.versions(names, ".mom", in: path)
    versions = compiled.isEmpty ? Self.versions(names, ".xcdatamodel", in: path) : compiled
    let isCompiled = names.contains("VersionInfo.plist")
    guard isCompiled || !versions.isEmpty else { return nil }
    let information: PropertyListValue? =
      isCompiled ? try Self.list(path, "VersionInfo.plist") : nil
    versionHashes = Self.hashes(information)
    currentVersionName =
      try Self.currentName(path, names, information)
      ?? (versions.count == 1 ? versions[0].name : nil)
  }

  /// Reads the model of a version.
  ///
  /// - Parameter name: the version; nil for the current one.
  /// - Returns: its model.
  /// - Throws: ``CofferError`` with `not-a-model` if there is no version with this name or no
  ///   current version; errors from reading the model.
  package func model(version name: String? = nil) throws(CofferError) -> ManagedObjectModel {
    try ModelFile.model(at: try version(name).path)
  }

  /// The version with a name, or the current one.
  package func version(_ name: String? = nil) throws(CofferError) -> Version {
    let list = versions.map(\.name).joined(separator: ", ")
    guard let wanted = name ?? currentVersionName else {
      throw CofferError(
        .notAModel, path: path, detail: "it does not specify a current version",
        advice: versions.isEmpty ? nil : "Give one of them: \(list).")
    }
    guard let version = versions.first(where: { $0.name == wanted }) else {
      throw CofferError(
        .notAModel, path: path, detail: "it has no version named \(wanted)",
        advice: versions.isEmpty ? nil : "Its versions are: \(list).")
    }
    return version
  }

  // MARK: Reading

  private static func versions(_ names: [String], _ ending: String, in path: String) -> [Version] {
    names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") && !$0.hasPrefix("@") }
      .map { Version(name: String($0.dropLast(ending.count)), path: StorePaths.join(path, $0)) }
      .sorted { $0.name.compare($1.name, options: [.numeric]) == .orderedAscending }
  }

  private static func list(
    _ path: String, _ name: String
  ) throws(CofferError) -> PropertyListValue {
    let file = StorePaths.join(path, name)
    do throws(CofferError) {
      return try PropertyListValue.parse(try ModelFile.bytes(file))
    } catch {
      throw error.located(at: file)
    }
  }

  private static func currentName(
    _ path: String, _ names: [String], _ information: PropertyListValue?
  ) throws(CofferError) -> String? {
    if let information {
      return information["NSManagedObjectModel_CurrentVersionName"]?.stringValue
    }
    guard names.contains(".xccurrentversion") else { return nil }
    let name = try list(path, ".xccurrentversion")["_XCCurrentVersionName"]?.stringValue
    guard let name, name.hasSuffix(".xcdatamodel") else { return name }
    return String(name.dropLast(".xcdatamodel".count))
  }

  private static func hashes(_ information: PropertyListValue?) -> [Name: [Name: VersionHash]] {
    var hashes: [Name: [Name: VersionHash]] = [:]
    for version in information?["NSManagedObjectModel_VersionHashes"]?.entries ?? [] {
      for entity in version.value.entries ?? [] {
        guard let bytes = entity.value.dataValue else { continue }
        hashes[Name(version.key), default: [:]][Name(entity.key)] = VersionHash(bytes: bytes)
      }
    }
    return hashes
  }
}
