internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// A store, a damaged copy of it, the rescue of the copy, and the recovered objects.
struct RescueTrial {
  let folder: TemporaryDirectory
  /// The sound store.
  let twin: String
  let damaged: String
  let new: String
  let map: PageMap
  let damage: [PageDamage]
  let summary: RescueSummary
  /// The lines of the recovered objects, by entity.
  let recovered: [String: Set<String>]

  /// Damages a copy of a store and rescues it.
  init(of twin: String, _ damage: (PageMap) throws -> [PageDamage]) throws {
    folder = try TemporaryDirectory()
    self.twin = twin
    damaged = folder.file("Damaged.sqlite")
    new = folder.file("New.sqlite")
    map = try PageMap(twin)
    self.damage = try damage(map)
    try FileManager.default.copyItem(atPath: twin, toPath: damaged)
    for change in self.damage { try change.apply(to: damaged, pageSize: map.pageSize) }
    (summary, recovered) = try Self.rescue(damaged, to: new, folder.file("Found"))
  }

  /// Rescues a store, and reads the recovered objects.
  static func rescue(
    _ store: String, to new: String, _ found: String
  ) throws -> (RescueSummary, [String: Set<String>]) {
    var rescuer = StoreRescuer()
    rescuer.options.recoveredFolder = found
    let summary = try rescuer.rescue(store, to: new)
    var recovered: [String: Set<String>] = [:]
    for objects in summary.recovered {
      recovered[objects.entityName.text] = try lines("\(found)/\(objects.fileName)")
    }
    return (summary, recovered)
  }

  /// The lines of a file.
  static func lines(_ path: String) throws -> Set<String> {
    Set(
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init))
  }

  /// The lines of the objects of a store as an export of data has them, by entity.
  static func lines(ofObjectsOf store: String) throws -> [String: Set<String>] {
    let folder = try TemporaryDirectory()
    let summary = try DataExporter(options: DataExportOptions(format: .ndjson))
      .write(store, to: folder.file("All"))
    var lines: [String: Set<String>] = [:]
    for part in summary.parts where part.relationshipName == nil {
      lines[part.entityName.text] = try Self.lines(folder.file("All/\(part.fileName)"))
    }
    return lines
  }

  /// The primary key that a line begins with.
  static func key(_ line: String) -> Int64? {
    line.dropFirst(#"{"id":"#.count).split(separator: ",").first.flatMap { Int64($0) }
  }
}

/// A small generated store with free pages, made once for all tests.
enum RescueTwin {
  private static let folder = Result<TemporaryDirectory, any Error> {
    let folder = try TemporaryDirectory()
    var options = GeneratorOptions()
    options.objectCount = 250
    options.journal = .delete
    try StoreMaker.write(to: folder.file("Before.sqlite"), options)
    try FileManager.default.copyItem(
      atPath: folder.file("Before.sqlite"), toPath: folder.file("Twin.sqlite"))
    try delete(from: folder.file("Twin.sqlite"))
    return folder
  }

  /// The store.
  static func path() throws -> String { try folder.get().file("Twin.sqlite") }
  /// The store before notes and todos were deleted from it, whose rows are on free pages now.
  static func before() throws -> String { try folder.get().file("Before.sqlite") }

  /// The keys of the deleted objects.
  static let deletedKeys: ClosedRange<Int64> = 40...120

  /// Deletes objects without erasing the bytes of their rows, as Core Data does.
  private static func delete(from path: String) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    try database.run(
      """
      PRAGMA secure_delete = OFF;
      DELETE FROM ZITEMENTITY WHERE Z_PK BETWEEN \(deletedKeys.lowerBound) AND \(deletedKeys.upperBound)
      """)
    // References to them are repaired, so that the store is sound.
    var options = RepairOptions()
    options.codes = RescueOptions.lossyCodes
    try StoreRepairer(options: options).repair(path)
  }
}
