internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// Advice for a user who passed something other than a store: a folder with stores in it, a vault, or a model.
enum InputAdvice {
  /// The maximum number of stores in a hint.
  private static let shown = 3
  /// The maximum number of files to search, because a hint must be fast.
  private static let fileLimit = 20_000

  private struct Enough: Error {}

  /// The error, with a better hint if there is one, and without the names of temporary files.
  static func explaining(_ error: any Error) -> any Error {
    switch WorkFolder.explaining(error) {
    case var advised as CofferError:
      let path = advised.place.path
      let hint: String? =
        switch advised.code {
        case let code where ofWrongInput.contains(code) && isVault(path): vaultHint(of: path)
        case .notSQLite where InputFile.looksLikeArchive(path):
          "It is an archive. To restore a store from it: coffer import \(path) NAME.sqlite"
        case .readFailed, .notSQLite: hint(of: path)
        case .notCoreData where FileSync.isFolder(path): hint(of: path)
        case .notAModel, .notAnArchive: FileSync.isFolder(path) ? storesHint(of: path) : nil
        default: nil
        }
      if let hint { advised.advice = [.sentence(hint)] }
      return advised
    default: return error
    }
  }

  /// The codes that commands report for a folder that is not a store.
  private static let ofWrongInput: Set<CofferError.Code> = [
    .readFailed, .notFound, .notCoreData, .notAModel, .notAnArchive, .refused, .invalidTable,
  ]

  static func isVault(_ path: String) -> Bool {
    FileSync.isFolder(path) && (try? Vault.mayBe(at: path)) == true
  }

  private static func vaultHint(of path: String) -> String {
    let backups = (try? Vault(path).backups()) ?? []
    let latest = Set(backups.map(\.series)).count > 1 ? "SERIES/latest" : "latest"
    return "It is a vault. To list its backups: coffer vault list \(path). "
      + "To read one: \(path)#\(latest) or \(path)#ID"
  }

  private static func hint(of path: String) -> String? {
    // A store or an archive that could not be read a moment ago has a model too.
    if let model = try? ModelLoader.load(from: path), model.sourceKind == nil {
      return "This is a managed object model. To print it: coffer model \(path)"
    }
    return FileSync.isFolder(path) ? storesHint(of: path) : nil
  }

  /// The hint with the stores in a folder; nil if there are none.
  private static func storesHint(of folder: String) -> String? {
    let stores = self.stores(in: folder)
    guard !stores.isEmpty else { return nil }
    let list = stores.prefix(shown).joined(separator: ", ")
    return stores.count > shown
      ? "The folder contains stores, such as \(list). To list all: coffer find \(folder)"
      : "The folder contains \(stores.count == 1 ? "a store" : "stores"): \(list)"
  }

  private static func stores(in folder: String) -> [String] {
    var paths: [String] = []
    var finder = StoreFinder(environment: .inPlace)
    finder.fileLimit = fileLimit
    _ = try? finder.find(in: folder) { store in
      paths.append(store.path)
      if paths.count > shown { throw Enough() }
    }
    return paths
  }
}
