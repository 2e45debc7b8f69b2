#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A private folder for the copy of a store; it goes away with its content when nobody holds it.
///
/// Its name begins with `coffer-snapshot-`, so that one left behind by a crash tells what it is.
final class TemporaryFolder: Sendable {
  /// The path of the folder.
  let path: String
  /// The files of the copy.
  let store: StoreFiles

  /// Makes a folder that only this user can enter.
  ///
  /// - Parameters:
  ///   - parent: where to make it; nil for the system's temporary folder.
  ///   - place: the name of the store, for errors.
  /// - Throws: `cannot-copy` when no folder can be made.
  init(in parent: String?, place: String) throws(StoreError) {
    let parent = parent ?? SystemCalls.temporaryFolder
    var template = Array("\(parent)/coffer-snapshot-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { name in
      unsafe name.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
    }
    guard let made else {
      throw Self.cannotCopy(SystemCalls.Failure.last, to: parent, place: place)
    }
    path = made
    store = StoreFiles(main: made + "/store.sqlite")
  }

  deinit {
    for file in [store.main, store.wal, store.sharedMemory, store.journal] {
      unsafe unlink(file)
    }
    unsafe rmdir(path)
  }

  /// The error for a copy that could not be made.
  static func cannotCopy(
    _ failure: SystemCalls.Failure, to folder: String, place: String
  ) -> StoreError {
    StoreError(
      .cannotCopy, place: place, detail: "\(folder): \(failure.text)",
      hint: "Free some space there, or let TMPDIR name another folder.")
  }
}
