internal import CoreDataStore
internal import Foundation
internal import TestSupport
internal import Testing

/// Stores that Core Data wrote.
@Suite struct SnapshotRealStoreTests {
  /// Lists the stores of a folder with the row count of every table, each read from a copy.
  private static let oracle = """
    import json, shutil, tempfile
    found = {}
    for folder, _, names in os.walk(path):
      for name in names:
        store = os.path.join(folder, name)
        if open(store, 'rb').read(16) != b'SQLite format 3\\0': continue
        with tempfile.TemporaryDirectory() as copy:
          for suffix in ['', '-wal', '-journal']:
            if os.path.exists(store + suffix): shutil.copyfile(store + suffix, copy + '/x' + suffix)
          c = sqlite3.connect(copy + '/x')
          tables = [r[0] for r in c.execute("select name from sqlite_master where type = 'table'")]
          quote = lambda n: '"' + n.replace('"', '""') + '"'
          counts = {t: c.execute('select count(*) from ' + quote(t)).fetchone()[0] for t in tables}
          c.close()
          if 'Z_METADATA' in counts: found[store] = counts
    print(json.dumps(found))
    """

  @Test(.timeLimit(.minutes(5)))
  func everyRealStoreOpensAndIsNotTouched() throws {
    #expect(!RealStores.any.isEmpty)
    let root = try #require(RealStores.anyFolder)
    let folder = try SnapshotFolder()
    let expected = try JSONDecoder().decode(
      [String: [String: Int64]].self, from: Data(try Python.run(Self.oracle, root).utf8))
    #expect(!expected.isEmpty)
    for (store, counts) in expected.sorted(by: { $0.key < $1.key }) {
      for preference in [SnapshotOptions.Preference.inPlace, .copy] {
        try check(store, counts, folder.options(preference), folder)
      }
    }
    #expect(try folder.copyNames().isEmpty)
  }

  private func check(
    _ store: String, _ counts: [String: Int64], _ options: SnapshotOptions, _ folder: SnapshotFolder
  ) throws {
    let place = URL(filePath: store).deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: place)
    let others = Set(files.filter { !$0.hasPrefix(URL(filePath: store).lastPathComponent) })
    let before = try folder.records(place, without: others)
    let snapshot = try StoreSnapshot(of: store, options: options)
    #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok", "\(store)")
    let tables = try snapshot.value("SELECT count(*) FROM sqlite_schema WHERE type = 'table'")
    #expect(tables?.integer == Int64(counts.count), "\(store)")
    for (table, count) in counts {
      let name = "\"" + table.replacing("\"", with: "\"\"") + "\""
      #expect(
        try snapshot.value("SELECT count(*) FROM \(name)")?.integer == count, "\(store) \(table)")
    }
    snapshot.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == files.sorted())
    #expect(try folder.records(place, without: others) == before, "\(store)")
  }
}
