import CoreDataStore
import Testing

/// The names of the files of a store.
@Suite struct StorePathsTests {
  @Test(arguments: [
    ("a", ".", "a", "a", "./.a_SUPPORT"),
    ("a.b", ".", "a.b", "a", "./.a_SUPPORT"),
    ("/a", "/", "a", "a", "/.a_SUPPORT"),
    ("x/Notes.sqlite", "x", "Notes.sqlite", "Notes", "x/.Notes_SUPPORT"),
    ("/x/y/Notes.v2.store", "/x/y", "Notes.v2.store", "Notes.v2", "/x/y/.Notes.v2_SUPPORT"),
    ("x/.hidden", "x", ".hidden", ".hidden", "x/..hidden_SUPPORT"),
  ])
  func aStoreAndItsFolderAreNamed(
    path: String, folder: String, name: String, baseName: String, support: String
  ) {
    let paths = StorePaths(store: path)
    #expect(paths.folder == folder)
    #expect(paths.name == name)
    #expect(paths.baseName == baseName)
    #expect(paths.supportFolder == support)
    #expect(paths.companions == [path + "-wal", path + "-shm", path + "-journal"])
  }
}
