internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// What to do where a folder was named in place of a store that is in it.
enum FolderAdvice {
  /// How many stores a hint names.
  private static let shown = 3
  /// How many files are looked at: a hint must not take long.
  private static let fileLimit = 20_000

  private struct Enough: Error {}

  /// The error with a hint that names the stores in the folder, where it is about a folder.
  static func explaining(_ error: any Error) -> any Error {
    switch error {
    case var advised as StoreError
    where advised.code == .notReadable && isFolder(advised.place):
      advised.hint = hint(of: advised.place) ?? advised.hint
      return advised
    case var advised as ModelError where advised.code == .notAModel && isFolder(advised.place):
      advised.hint = hint(of: advised.place) ?? advised.hint
      return advised
    default: return error
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    let path = (path as NSString).resolvingSymlinksInPath
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  /// The stores in a folder, as a hint names them; nil where there are none.
  private static func hint(of folder: String) -> String? {
    let stores = self.stores(in: folder)
    guard !stores.isEmpty else { return nil }
    let list = stores.prefix(shown).joined(separator: ", ")
    return stores.count > shown
      ? "There are stores in it, such as \(list); all of them: coffer find \(folder)"
      : "In it \(stores.count == 1 ? "is a store" : "are stores"): \(list)"
  }

  private static func stores(in folder: String) -> [String] {
    var paths: [String] = []
    var finder = StoreFinder(access: .inPlace)
    finder.fileLimit = fileLimit
    _ = try? finder.find(in: folder) { store in
      paths.append(store.path)
      if paths.count > shown { throw Enough() }
    }
    return paths
  }
}
