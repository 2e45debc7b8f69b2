internal import CofferKit
internal import CoreDataStore

/// What to do where a folder was named in place of a store that is in it.
enum FolderAdvice {
  /// How many stores a hint names.
  private static let shown = 3
  /// How many files are looked at: a hint must not take long.
  private static let fileLimit = 20_000

  private struct Enough: Error {}

  /// The error with a hint that names the stores in the folder, where it is about a folder.
  static func explaining(_ error: any Error) -> any Error {
    guard var advised = error as? StoreError, advised.code == .notReadable,
      advised.detail == "it is a folder"
    else { return error }
    let stores = self.stores(in: advised.place)
    guard !stores.isEmpty else { return error }
    let list = stores.prefix(shown).joined(separator: ", ")
    advised.hint =
      stores.count > shown
      ? "There are stores in it, such as \(list); all of them: coffer find \(advised.place)"
      : "In it \(stores.count == 1 ? "is a store" : "are stores"): \(list)"
    return advised
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
