internal import CofferKit
internal import TestSupport
internal import Testing

/// A migration of a real store to a version of its app's model.
struct RealMigration: Sendable, CustomStringConvertible {
  /// What the store's name ends with.
  let store: String
  /// The folder of the models, below that of the stores.
  let bundle: String
  /// The version.
  let version: String
  /// The version of the store, where that has no copy of its model.
  var from: String?
  /// What the name of a store of the new model ends with, where one is needed.
  var like: String?
  /// Whether all objects are left behind on purpose.
  var allowsLoss = false
  /// The reason why it is impossible, as `place code`; empty if it is possible.
  var reasons: [String] = []

  var description: String { "\(store) to \(version)" }

  var options: MigrationOptions {
    var options = MigrationOptions(version: version)
    options.storeModel = from
    options.allowsLoss = allowsLoss
    options.exampleStores = [like.flatMap { RealStores.named($0)?.path }].compactMap(\.self)
    return options
  }

  /// The paths of the store and the models.
  func paths() throws -> (store: String, model: String) {
    let folder = try #require(RealStores.folder)
    return (try #require(RealStores.named(store)).path, "\(folder)/\(bundle)")
  }

  private static let userData =
    "SRGSSR+srguserdata-apple/Sources/SRGUserData/Data/SRGUserData.xcdatamodeld"
  private static let moody = "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld"
  private static let bookmarks =
    "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  private static let sync =
    "duckduckgo+BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld"
  private static let apptentive =
    "apptentive+apptentive-ios/Apptentive/Apptentive/Model/ATDataModel.xcdatamodeld"
  private static let sample =
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd"
  private static let sample3 =
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd"
  private static let server =
    "richardpiazza+XCServerCoreData/Resources/XCServerCoreData.xcdatamodeld"
  private static let learning = "alemar11+CoreDataPlus/@402857f2/Learning materials/example/"
  private static let posts =
    learning + "CoreDataMigrationRevised-Example-master/CoreDataMigration-Example/CoreData/Model/"
    + "CoreDataMigration_Example.xcdatamodeld"
  private static let books =
    "alemar11+CoreDataPlus/@4fac1457/Learning materials/example/BookMigration-master/"
    + "BookMigration/Model.xcdatamodeld"
  private static let names =
    "jeffreybergier+CoreDataMigrationTests/CoreDataMigration/CoreDataMigration/Model.xcdatamodeld"
  private static let scout =
    "kasianov-mikhail+scout/@5fc9d84a/Sources/Scout/Core/Persistence/Scout.xcdatamodeld"
  private static let employees = "mwkirk+MWKCoreData/Tests/Model/MWKCoreDataTests.xcdatamodeld"

  /// Those that can be inferred.
  static let possible: [RealMigration] =
    (1...6).map {
      RealMigration(
        store: "UserData_DB_v\($0)/Data.sqlite", bundle: userData,
        version: "SRGUserData_v\($0 + 1)", allowsLoss: $0 == 5)
    }
    + [
      RealMigration(
        store: "Migrations/MigrationsTests/Moody.moody", bundle: moody, version: "Moody 2"),
      RealMigration(
        store: "Migrations/MigrationsTests/Moody.moody", bundle: moody, version: "Moody 3"),
      RealMigration(
        store: "Migrations/MigrationsTests/Moody 3.moody", bundle: moody, version: "Moody 4"),
      RealMigration(
        store: "Migrations/MigrationsTests/Moody 5.moody", bundle: moody, version: "Moody 6"),
      RealMigration(store: "Bookmarks_V1.sqlite", bundle: bookmarks, version: "BookmarksModel 2"),
      RealMigration(
        store: "Kit/Tests/BookmarksTests/Resources/Bookmarks_V3.sqlite", bundle: bookmarks,
        version: "BookmarksModel 3"),
      RealMigration(
        store: "Bookmarks_V1.sqlite", bundle: bookmarks, version: "BookmarksModel 5",
        like: "Bookmarks_V5.sqlite"),
      RealMigration(store: "SyncMetadata_V3.sqlite", bundle: sync, version: "SyncMetadata 4"),
      RealMigration(store: "SampleModel_V1.sqlite", bundle: sample, version: "SampleModel2"),
      RealMigration(store: "SampleModel_V2.sqlite", bundle: sample, version: "SampleModel3"),
      RealMigration(store: "SampleModel3_V1.sqlite", bundle: sample3, version: "SampleModel3_v2"),
      RealMigration(store: "SampleModel3_V1.sqlite", bundle: sample3, version: "SampleModel3_v3"),
      RealMigration(
        store: "XCServerCoreData_1.2.0.sqlite", bundle: server, version: "XCServerCoreData1.2.0"),
      RealMigration(
        store: "XCServerCoreData_2.0.0_empty.sqlite", bundle: server,
        version: "XCServerCoreData2.0.1"),
      RealMigration(
        store: "CoreDataMigration_Example_1.sqlite", bundle: posts,
        version: "CoreDataMigration_Example 2"),
      RealMigration(
        store: "CoreDataMigration_Example_1.sqlite", bundle: posts,
        version: "CoreDataMigration_Example 3"),
      RealMigration(
        store: "CoreDataMigration_Example_3.sqlite", bundle: posts,
        version: "CoreDataMigration_Example 4"),
      RealMigration(store: "Scout-v1.sqlite", bundle: scout, version: "Scout 2"),
      RealMigration(store: "Scout-v1.sqlite", bundle: scout, version: "Scout 4"),
      RealMigration(
        store: "MWKCoreDataTests.sqlite", bundle: employees, version: "MWKCoreDataTests2",
        from: "MWKCoreDataTests"),
    ]
    + [("1.0.0", "1.1.0"), ("1.1.0", "1.1.2"), ("1.1.2", "1.2.0"), ("1.2.0", "2.0.0")].map {
      RealMigration(store: "Example_v\($0.0).sqlite", bundle: names, version: "v\($0.1)")
    }
    + [(1, ""), (2, " 2"), (3, " 3"), (5, " 5")].map {
      RealMigration(
        store: "ATDataModelv\($0.0).sqlite", bundle: apptentive,
        version: "ATDataModel \($0.0 + 1)", from: "ATDataModel\($0.1)")
    }

  /// Those that needed a mapping of the app's own, or need an example of the new store.
  static let impossible: [RealMigration] = [
    RealMigration(
      store: "UserData_DB_v5/Data.sqlite", bundle: userData, version: "SRGUserData_v6",
      reasons: ["HistoryEntry lost-objects"]),
    RealMigration(
      store: "Kit/Tests/BookmarksTests/Resources/Bookmarks_V3.sqlite", bundle: bookmarks,
      version: "BookmarksModel 4", reasons: ["BookmarkEntity.favoriteFolders undecided-names"]),
    // An example of another model decides nothing.
    RealMigration(
      store: "Kit/Tests/BookmarksTests/Resources/Bookmarks_V3.sqlite", bundle: bookmarks,
      version: "BookmarksModel 4", like: "Bookmarks_V5.sqlite",
      reasons: ["BookmarkEntity.favoriteFolders undecided-names"]),
    RealMigration(
      store: "Bookmarks_V5.sqlite", bundle: bookmarks, version: "BookmarksModel 6",
      reasons: ["BookmarkEntity.favoriteFolders undecided-names"]),
    RealMigration(
      store: "ATDataModelv4.sqlite", bundle: apptentive, version: "ATDataModel 5",
      from: "ATDataModel 4", reasons: ["ATMessageSender.sentMessages changed-destination"]),
    RealMigration(
      store: "XCServerCoreData_1.2.0.sqlite", bundle: server, version: "XCServerCoreData2.0.0",
      reasons: [
        "Integration.endedTime changed-type", "Integration.queuedDate changed-type",
        "Integration.startedTime changed-type",
      ]),
    RealMigration(
      store: "BookMigration/Model1.sqlite", bundle: books, version: "Model2", from: "Model1",
      reasons: ["Book.authors undecided-names"]),
    RealMigration(
      store: "MWKCoreDataTests2.sqlite", bundle: employees, version: "MWKCoreDataTests3",
      from: "MWKCoreDataTests2",
      reasons: ["Employee.firstName missing-default", "Employee.lastName missing-default"]),
  ]
}
