internal import CofferKit
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Random edits on both sides of copies of real stores, merged and compared with SQL alone.
@Suite struct MergeRealStoreTests {
  @Test(arguments: RealStores.any) func whatEitherSideChangedIsInTheMerge(
    _ store: RealStore
  ) throws {
    let directory = try TemporaryDirectory()
    let base = try RealStores.copy(store, to: directory)
    let edits = try AttributeEdits(base)
    guard !edits.isEmpty else { return }
    // Objects with even and with odd keys: nothing contradicts.
    let mine = try edits.changed(base, directory.file("Mine.sqlite"), .even)
    let theirs = try edits.changed(base, directory.file("Theirs.sqlite"), .odd)
    let (one, other) = (directory.file("One.sqlite"), directory.file("Other.sqlite"))
    var options = MergeOptions()
    options.editing.allowsMirrored = true
    let merger = StoreMerger(options: options)
    let summary: MergeSummary
    do {
      summary = try merger.merge(theirs, into: mine, base: base, at: one)
    } catch let error as CofferError where error.code == .refused {
      // Two libraries of Photos have triggers that call the app.
      #expect(store.path.contains("PhotoScript-10.15.7") && error.detail.contains("trigger"))
      return
    }
    #expect(summary.conflicts.count == 0)
    #expect(!summary.differences.isEqual)
    #expect(try edits.differences(one, from: (base, mine, theirs)) == [])
    // The other way round, the same.
    try merger.merge(mine, into: theirs, base: base, at: other)
    #expect(try edits.differences(other, from: (base, mine, theirs)) == [])
    // Again, nothing.
    let again = try merger.merge(
      theirs, into: one, base: base, at: directory.file("Again.sqlite"))
    #expect(again.differences.isEqual)
    // It is as good a store as any other.
    let archive = directory.file("One.coffer.tar.gz")
    try StoreExporter().export(storeAt: one, to: archive)
    let restored = directory.file("Restored.sqlite")
    try StoreImporter().import(archive, to: restored)
    #expect(try StoreComparer.differences(one, restored) == [])
  }

  /// Objects that both sides changed: the policy decides about each property.
  @Test(arguments: RealStores.any) func theOtherSideWinsWhereItIsAskedTo(
    _ store: RealStore
  ) throws {
    let directory = try TemporaryDirectory()
    let base = try RealStores.copy(store, to: directory)
    let edits = try AttributeEdits(base)
    guard !edits.isEmpty else { return }
    let mine = try edits.changed(base, directory.file("Mine.sqlite"), .all)
    let theirs = try edits.changed(base, directory.file("Theirs.sqlite"), .odd)
    guard try edits.differences(theirs, from: (base, base, base)) != [] else { return }
    var options = MergeOptions()
    options.editing.allowsMirrored = true
    #expect(throws: CofferError.self) {
      try StoreMerger(options: options).merge(theirs, into: mine, base: base)
    }
    options.policy = .mergeByPropertyObjectTrump
    let merged = directory.file("Merged.sqlite")
    let summary: MergeSummary
    do {
      summary = try StoreMerger(options: options).merge(
        theirs, into: mine, base: base, at: merged)
    } catch let error as CofferError where error.code == .refused {
      #expect(store.path.contains("PhotoScript-10.15.7") && error.detail.contains("trigger"))
      return
    }
    #expect(summary.conflicts.count > 0)
    #expect(try edits.differences(merged, from: (base, mine, theirs)) == [])
  }
}

/// Changes of attributes as an app makes them, in a store of any model.
private struct AttributeEdits {
  enum Keys: Int { case even, odd, all }

  private struct Column {
    var table: String
    var name: String
    var isText: Bool
  }

  private var columns: [Column] = []

  var isEmpty: Bool { columns.isEmpty }

  /// Chooses the attributes that can be changed without breaking a rule of the model.
  init(_ path: String) throws {
    let store = try PersistentStore(readingFrom: path)
    guard store.model.source != .inferred else { return }
    let database = try GeneratorDatabase(path: path)
    for table in store.layout.entityTables {
      let unique = try database.rows(
        "SELECT DISTINCT x.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS x "
          + "WHERE i.\"unique\"", [.string(table.tableName)])
      for field in table.columns {
        guard case .attribute(let path, let type, _, let entity) = field.role, path.count == 1,
          [.string, .double, .date].contains(type), !unique.contains([.string(field.storedName)]),
          let attribute = store.model[entity]?.attributes.first(where: { $0.name == path[0] }),
          attribute.derivation == nil, attribute.validationPredicates.isEmpty,
          try database.integer(
            "SELECT count(\"\(field.storedName)\") FROM \"\(table.tableName)\"") ?? 0 > 1
        else { continue }
        columns.append(
          Column(table: table.tableName, name: field.storedName, isText: type == .string))
      }
    }
    // A few columns tell as much as all.
    columns = columns.enumerated().filter { $0.offset % (1 + columns.count / 12) == 0 }
      .map(\.element)
  }

  /// A copy in which the values of some objects are others.
  func changed(_ base: String, _ path: String, _ keys: Keys) throws -> String {
    _ = try StoreFiles(base).copy(to: path)
    try DoubledStore.edit(path) { database in
      for column in columns {
        let name = "\"\(column.name)\""
        let value =
          column.isText ? "\(name) || ' \(keys)'" : "\(name) + 1000 + \(keys.rawValue)"
        let condition = keys == .all ? "1" : "Z_PK % 2 = \(keys.rawValue)"
        try database.run(
          "UPDATE \"\(column.table)\" SET \(name) = \(value) WHERE \(condition)")
      }
    }
    return path
  }

  /// The columns in which a merge is not what the rule says: what the other store changed, else what
  /// the store has.
  func differences(
    _ merged: String, from sides: (base: String, store: String, other: String)
  ) throws -> [String] {
    let database = try GeneratorDatabase(path: merged)
    for (name, path) in [("b", sides.base), ("s", sides.store), ("o", sides.other)] {
      try database.run("ATTACH ? AS \(name)", [.string(path)])
    }
    return try columns.compactMap { column in
      let (table, name) = ("\"\(column.table)\"", "\"\(column.name)\"")
      let count = try database.integer(
        "SELECT count(*) FROM main.\(table) AS m JOIN b.\(table) AS x USING (Z_PK) "
          + "JOIN s.\(table) AS y USING (Z_PK) JOIN o.\(table) AS z USING (Z_PK) WHERE m.\(name) "
          + "IS NOT CASE WHEN z.\(name) IS x.\(name) THEN y.\(name) ELSE z.\(name) END")
      let missing = try database.integer(
        "SELECT (SELECT count(*) FROM main.\(table)) <> (SELECT count(*) FROM b.\(table))")
      return count == 0 && missing == 0 ? nil : "\(column.table).\(column.name)"
    }
  }
}
