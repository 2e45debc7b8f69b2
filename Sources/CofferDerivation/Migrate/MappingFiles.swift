package import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// The mapping models of a migration: the given one, or the mapping models next to the versions of the model.
package struct MappingFiles {
  /// The given mapping model, or nil.
  let given: CustomMapping?
  /// A note on mapping models that may belong to the migration but cannot be read, or nil.
  private(set) var note: MigrationNote?
  private var found: [CustomMapping] = []

  /// Reads mapping models.
  ///
  /// - Parameters:
  ///   - bundle: the folder of versions; nil for a single model.
  ///   - options: the options, which can name a mapping model, or folders with some.
  /// - Throws: ``CofferError`` for a folder or a mapping model that cannot be read.
  package init(
    besides bundle: String?, _ options: MigrationOptions = MigrationOptions()
  ) throws(CofferError) {
    let policies = Set(options.defaultPolicies)
    given = try options.mapping.map { path throws(CofferError) in
      try Self.mapping(path, policies)
    }
    guard given == nil else {
      try requirePolicies(options.defaultPolicies)
      return
    }
    for folder in options.mappingFolders where MappingModel.isMapping(folder) {
      throw CofferError(
        .incompatibleChoices, path: folder, detail: "it is a mapping model, not a folder of them",
        advice: .chooseMapping)
    }
    var folders = options.mappingFolders
    if let bundle { folders.insert(Self.folder(of: bundle), at: 0) }
    var compiled: [String] = []
    for folder in folders {
      let names: [String]
      do throws(SystemError) {
        names = try FileTree.names(in: folder) { MappingModel.isMapping($0) }
      } catch {
        throw CofferError(reading: folder, error)
      }
      for name in names.sorted(by: codeUnitsAscend) {
        let path = StorePaths.join(folder, name)
        if name.hasSuffix(".cdm") {
          compiled.append(name)
        } else if !found.contains(where: { $0.path == path }) {
          found.append(try Self.mapping(path, policies))
        }
      }
    }
    try requirePolicies(options.defaultPolicies)
    guard let first = compiled.first else { return }
    let others = compiled.count == 1 ? "" : " and \(compiled.count - 1) more"
    note = MigrationNote(
      .mappingUnread,
      "the app may use \(first)\(others): a compiled mapping model (.cdm), which coffer cannot read. Give the "
        + ".xcmappingmodel from the app's sources")
  }

  private static func mapping(
    _ path: String, _ policies: Set<String>
  ) throws(CofferError) -> CustomMapping {
    CustomMapping(
      name: StorePaths.name(of: path), path: path, model: try MappingModel(path: path),
      defaultPolicies: policies)
  }

  private static func folder(of path: String) -> String {
    let folder = StorePaths.folder(of: path.hasSuffix("/") ? String(path.dropLast()) : path)
    return folder.isEmpty ? "." : folder
  }

  /// The mapping model for two models; nil if there is none.
  ///
  /// - Throws: ``CofferError`` with `incompatible-choices` if several fit.
  package func mapping(
    from old: MappedVersion, to new: MappedVersion
  ) throws(CofferError) -> CustomMapping? {
    let fitting = (given.map { [$0] } ?? found).filter { $0.fits(old, new) }
    guard fitting.count < 2 else {
      throw CofferError(
        .incompatibleChoices, path: fitting[1].path,
        detail: "\(fitting[0].name) is a mapping model for the same versions",
        advice: .chooseMapping)
    }
    return fitting.first
  }

  /// The mapping model that was given for a single step; nil if none was given.
  ///
  /// - Throws: ``CofferError`` with `incompatible-choices` if it is for other versions.
  func required(from old: MappedVersion, to new: MappedVersion) throws(CofferError)
    -> CustomMapping?
  {
    guard let given, let objection = given.objection(old, new) else { return given }
    throw CofferError(
      .incompatibleChoices, path: given.path,
      detail: "the mapping model is not for \(old.name) to \(new.name): \(objection)",
      advice: .fitMapping)
  }

  /// Checks that a mapping model names each class to be treated like the standard class.
  private func requirePolicies(_ names: [String]) throws(CofferError) {
    let known = Set(
      (given.map { [$0] } ?? found).flatMap { $0.model.entities.compactMap(\.policyClass) })
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    throw CofferError(
      .incompatibleChoices, path: given?.path ?? "",
      detail: "no mapping model names the class \(unknown)",
      advice: known.isEmpty
        ? nil : .sentence("Available: \(known.sorted().joined(separator: ", "))"))
  }
}
