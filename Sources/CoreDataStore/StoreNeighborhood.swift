internal import CoreDataLayout
internal import CoreDataModel
internal import POSIX

/// The files and folders next to a store that carry its name.
///
/// Only names are read: opening a file that may be another store would drop locks that this process
/// may hold on it.
struct StoreNeighborhood {
  /// The items in the places of the store's ``CompanionFolder``s, in ascending order.
  let companions: [(folder: CompanionFolder, name: String)]
  /// The names of everything else under the store's name, in ascending order: backups, folders of the
  /// app, and the folder in which old systems keep the files of all mirrored stores.
  ///
  /// Excludes other stores with their files, and files written by coffer.
  let strays: [String]

  /// The folder of old systems for the files of all mirrored stores of a folder.
  private static let oldAssetFolder = "ckAssetFiles"
  private static let extensions: Set = ["sqlite", "sqlite3", "store", "storedata", "db"]

  /// Lists the folder of a store.
  ///
  /// - Throws: the system's error. A missing folder has no files; in one that may be used but
  ///   not listed, only companions are found.
  init(of store: StorePaths) throws(SystemError) {
    var found: Set<Name>
    do throws(SystemError) {
      found = try FileTree.names(in: store.folder) {
        store.isBeginning(of: $0) || $0 == Self.oldAssetFolder
      }.names
    } catch {
      switch error.number {
      case ENOENT, ENOTDIR: found = []
      case EACCES, EPERM: found = Self.reachable(store)
      default: throw error
      }
    }
    var companions: [(folder: CompanionFolder, name: String)] = []
    for folder in CompanionFolder.all {
      let name = folder.name(store.baseName, store.name)
      // Without an extension, two places are one.
      if found.remove(Name(name)) != nil { companions.append((folder, name)) }
    }
    self.companions = companions
    found.remove(Name(store.supportFolderName))
    for ending in StorePaths.companionEndings { found.remove(Name(store.name + ending)) }
    let names = found.sorted().map(\.text)
    let others = names.filter { Self.isStore($0, in: found, beside: store) }
    strays = names.filter { name in
      !name.contains(".coffer")
        && !others.contains { $0 == name || StorePaths(store: $0).isBeginning(of: name) }
    }
  }

  /// The existing companions, for a folder that cannot be listed.
  private static func reachable(_ store: StorePaths) -> Set<Name> {
    CompanionFolder.all.map { $0.name(store.baseName, store.name) }
      .filter { FileState(named: StorePaths.join(store.folder, $0)) != nil }.names
  }

  /// Whether a neighbor of a store looks like another store, by its extension or because it has
  /// companion files.
  private static func isStore(
    _ name: String, in names: Set<Name>, beside store: StorePaths
  ) -> Bool {
    if StorePaths.companionEndings.contains(where: { names.contains(Name(name + $0)) }) {
      return true
    }
    guard let ending = fileExtension(name) else { return false }
    return extensions.contains(ending) || ending == fileExtension(store.name)
  }

  private static func fileExtension(_ name: String) -> String? {
    let base = StorePaths(store: name).baseName
    return base.utf8.count == name.utf8.count
      ? nil : String(decoding: name.utf8.dropFirst(base.utf8.count + 1), as: UTF8.self)
  }
}

extension StorePaths {
  /// Whether a name begins with the store's name, perhaps after a dot, and continues: with `_`
  /// after the name without its extension; with anything but a letter or a digit after the full
  /// name, or, for a name without extension, as a companion file's name does.
  fileprivate func isBeginning(of name: String) -> Bool {
    [0, name.utf8.first == UInt8(ascii: ".") ? 1 : 0].contains { start in
      let text = name.utf8.dropFirst(start)
      if text.starts(with: baseName.utf8),
        text.dropFirst(baseName.utf8.count).first == UInt8(ascii: "_")
      {
        return true
      }
      guard text.starts(with: self.name.utf8) else { return false }
      let rest = text.dropFirst(self.name.utf8.count)
      if self.name == baseName {
        return Self.companionEndings.contains { rest.elementsEqual($0.utf8) }
      }
      guard let next = rest.first, next < 0x80 else { return false }
      let character = Character(Unicode.Scalar(next))
      return !character.isLetter && !character.isNumber
    }
  }

  /// The names of the items, of any kind, in the places of the folders that belong to the store:
  /// the support folder and the companion folders.
  func folderNames() throws(SystemError) -> [String] {
    let support = try FileState.look(named: supportFolder) == nil ? [] : [supportFolderName]
    return try support + StoreNeighborhood(of: self).companions.map(\.name)
  }

  /// The names of the folders that belong to the store, as far as they are known.
  package var presentFolderNames: [String] { (try? folderNames()) ?? [supportFolderName] }

  /// The paths of everything that can belong to the store: its companion files, the support folder and the
  /// companion folders.
  package var parts: [String] {
    companions
      + ([supportFolderName] + CompanionFolder.all.map { $0.name(baseName, name) }).map {
        Self.join(folder, $0)
      }
  }

  /// The names on the way from the store's folder to a file of the store.
  func names(of components: [String]) -> [String] {
    guard let folder = CompanionFolder.of(components) else {
      return [supportFolderName] + components
    }
    return [folder.name(baseName, name)] + components.dropFirst(2)
  }

  /// The path of a file of the store, by its path from the support folder, as ``SupportFolder/File`` has
  /// it.
  package func path(of components: [String]) -> String {
    Self.join(folder, names(of: components).joined(separator: "/"))
  }
}
