import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
import Testing

/// Rows with more values than a part may hold.
@Suite struct RoundTripWideRowTests {
  @Test func aRowOfManyLargeValuesComesBack() throws {
    let folder = try TemporaryDirectory()
    let store = folder.file("Wide.sqlite")
    try SampleStore.write(to: store)
    let columns = (0..<20).map { "b\($0)" }
    do {
      let database = try GeneratorDatabase(path: store)
      try database.run(
        "CREATE TABLE WIDE (id INTEGER PRIMARY KEY, \(columns.joined(separator: ",")))")
      for row in 1...2 {
        let blobs = columns.indices.map { "zeroblob(\(4 << 20 - $0 * row))" }
        try database.run("INSERT INTO WIDE VALUES (\(row), \(blobs.joined(separator: ",")))")
      }
      // Texts fill the lines as blobs fill their entry.
      let texts = columns.map { _ in "printf('%.*c', \(4 << 20), 'x')" }
      try database.run("INSERT INTO WIDE VALUES (3, \(texts.joined(separator: ",")))")
    }
    let archive = folder.file("Wide.coffer.tar.gz")
    let copy = folder.file("Copy.sqlite")
    try StoreExporter(options: ExportOptions(level: 1))
      .export(PersistentStore(readingFrom: store), to: archive)
    try StoreImporter().import(archive, to: copy)
    #expect(try StoreComparer.differences(store, copy) == [])
  }

  /// The sizes of its large values would be more results than SQLite allows.
  @Test func aRowOfNearlyAsManyColumnsAsSQLiteAllowsComesBack() throws {
    let folder = try TemporaryDirectory()
    let store = folder.file("Wide.sqlite")
    try SampleStore.write(to: store)
    do {
      let database = try GeneratorDatabase(path: store)
      let columns = (0..<1_990).map { "b\($0) BLOB" }.joined(separator: ",")
      try database.run("CREATE TABLE WIDE (id INTEGER PRIMARY KEY, \(columns))")
      try database.run(
        "INSERT INTO WIDE (b0, b1989) VALUES (zeroblob(2000000), zeroblob(2000001))")
    }
    #expect(try RoundTrip(of: store).problems() == [])
  }
}
