// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target of ours; dependencies are not affected.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .define("LIBDEFLATE", .when(platforms: [.linux], traits: ["Libdeflate"])),
  .define("LIBDEFLATE", .when(traits: ["LibdeflateAnywhere"])),
  .define("ZSTD", .when(platforms: [.linux], traits: ["Zstd"])),
  .define("ZSTD", .when(traits: ["ZstdAnywhere"])),
]
/// The settings of the tests.
///
/// They run against optimized libraries; to optimize the tests as well would take longer than it saves. Nor do
/// they need a module of their own before they are compiled: nobody imports them. No product contains a test, so
/// that packages that depend on this one never see the flags.
let testSettings =
  settings + [
    .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
  ]

/// What the engine and its guests are built on.
let foundation: [Target.Dependency] = [
  "CoreDataArchive", "CoreDataDesign", "CoreDataLayout", "CoreDataModel", "CoreDataPages",
  "CoreDataStore", "POSIX",
]

/// What the tests of the engine and of its guests may use.
let libraryTests: [Target.Dependency] = [
  "BackupPlaces", "CofferKit", "LibrarySupport", "POSIX", "StoreGenerator", "TestSupport",
]

let package = Package(
  name: "coffer",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "CofferCore", targets: ["CofferCore"]),
    .library(name: "CofferKit", targets: ["CofferKit"]),
    .executable(name: "coffer", targets: ["coffer"]),
  ],
  traits: [
    .trait(
      name: "Libdeflate",
      description: "On Linux compress and inflate with libdeflate, not with zlib."),
    .trait(
      name: "LibdeflateAnywhere",
      description: "Compress and inflate with libdeflate on every platform; it has to be installed."
    ),
    .trait(
      name: "Zstd",
      description: "On Linux read and write archives that are compressed with zstd."),
    .trait(
      name: "ZstdAnywhere",
      description:
        "Read and write archives that are compressed with zstd on every platform; libzstd has to be installed."
    ),
    .default(enabledTraits: ["Libdeflate", "Zstd"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CDeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(
      name: "DataCompression",
      dependencies: [
        "CZlib",
        .target(name: "CDeflate", condition: .when(platforms: [.linux], traits: ["Libdeflate"])),
        .target(name: "CDeflate", condition: .when(traits: ["LibdeflateAnywhere"])),
        .target(name: "CZstd", condition: .when(platforms: [.linux], traits: ["Zstd"])),
        .target(name: "CZstd", condition: .when(traits: ["ZstdAnywhere"])),
      ],
      swiftSettings: settings),
    .target(name: "POSIX", swiftSettings: settings),
    .target(
      name: "AgeEncryption",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "CoreDataModel",
      dependencies: ["DataCompression", "POSIX"],
      swiftSettings: settings),
    .target(
      name: "CoreDataLayout",
      dependencies: ["CoreDataModel"],
      swiftSettings: settings),
    .target(
      name: "CSQLiteConfiguration",
      dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .target(
      name: "CoreDataStore",
      dependencies: [
        "CoreDataLayout",
        "CoreDataModel",
        "POSIX",
        "CSQLiteConfiguration",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "CoreDataDesign",
      dependencies: ["CoreDataLayout", "CoreDataModel", "CoreDataStore", "POSIX"],
      swiftSettings: settings),
    .target(
      name: "CoreDataPages",
      dependencies: [
        "CoreDataDesign", "CoreDataLayout", "CoreDataModel", "CoreDataStore", "POSIX",
      ],
      swiftSettings: settings),
    .target(
      name: "CoreDataArchive",
      dependencies: [
        "AgeEncryption",
        "CoreDataLayout",
        "CoreDataModel",
        "DataCompression",
        "POSIX",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(name: "CCurl"),
    .target(
      name: "BackupPlaces",
      dependencies: [
        "CCurl", "CoreDataModel", "POSIX", .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "CofferCore",
      dependencies: foundation + [
        .product(name: "Crypto", package: "swift-crypto")
      ],
      swiftSettings: settings),
    .target(
      name: "CofferComparison",
      dependencies: foundation + ["CofferCore"],
      swiftSettings: settings),
    .target(
      name: "CofferTables",
      dependencies: foundation + ["CofferComparison", "CofferCore"],
      swiftSettings: settings),
    .target(
      name: "CofferEditing",
      dependencies: foundation + ["CofferComparison", "CofferCore", "CofferTables"],
      swiftSettings: settings),
    .target(
      name: "CofferVault",
      dependencies: foundation + [
        "BackupPlaces", "CofferComparison", "CofferCore", "CofferEditing", "CofferTables",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "CofferReports",
      dependencies: foundation + [
        "CofferComparison", "CofferCore",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "CofferDerivation",
      dependencies: foundation + [
        "CofferCore", "CofferTables",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .target(
      name: "CofferKit",
      dependencies: [
        "CofferComparison", "CofferCore", "CofferDerivation", "CofferEditing", "CofferReports",
        "CofferTables", "CofferVault", "CoreDataArchive", "CoreDataModel", "CoreDataPages",
        "CoreDataStore",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coffer",
      dependencies: [
        "CofferKit", "CoreDataArchive", "CoreDataLayout", "CoreDataModel", "CoreDataPages",
        "CoreDataStore", "POSIX",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .target(
      name: "StoreGenerator",
      dependencies: [
        "CoreDataModel",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Tests/StoreGenerator",
      swiftSettings: settings),
    .executableTarget(
      name: "make-store",
      dependencies: ["StoreGenerator"],
      path: "Tests/MakeStore",
      swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: [
        "BackupPlaces",
        "StoreGenerator",
        "CoreDataModel",
        "CoreDataArchive",
        "DataCompression",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/TestSupport",
      // Compiled by the tests that load it into the program, on Linux.
      // The service is run by the tests, with Python.
      exclude: ["Faults/faults.c", "Places/s3-server.py"],
      swiftSettings: settings),
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .target(
      name: "Fuzzing",
      dependencies: [
        "AgeEncryption", "BackupPlaces", "CofferKit", "CoreDataDesign", "CoreDataModel",
        "CoreDataPages", "CoreDataStore", "CoreDataArchive", "DataCompression", "POSIX",
        "StoreGenerator", "TestSupport",
      ],
      path: "Tests/Fuzzing",
      swiftSettings: settings),
    .executableTarget(
      name: "coffer-fuzz",
      dependencies: ["Fuzzing", "StoreGenerator", "CFuzzer"],
      path: "Tests/CofferFuzz",
      swiftSettings: settings),
    .testTarget(
      name: "StoreGeneratorTests", dependencies: ["StoreGenerator", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "DataCompressionTests", dependencies: ["DataCompression"], swiftSettings: testSettings),
    .testTarget(
      name: "AgeEncryptionTests", dependencies: ["AgeEncryption", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CoreDataModelTests",
      dependencies: ["CoreDataModel", "DataCompression", "POSIX", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CoreDataStoreTests",
      dependencies: ["CoreDataDesign", "CoreDataPages", "CoreDataStore", "POSIX", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CoreDataArchiveTests", dependencies: ["CoreDataArchive", "POSIX", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "BackupPlacesTests", dependencies: ["BackupPlaces", "POSIX", "TestSupport"],
      swiftSettings: testSettings),
    .target(
      name: "LibrarySupport",
      dependencies: [
        "CofferKit", "CoreDataModel", "CoreDataStore", "StoreGenerator", "TestSupport",
      ],
      path: "Tests/LibrarySupport",
      swiftSettings: settings),
    .testTarget(
      name: "CofferCoreTests", dependencies: libraryTests,
      swiftSettings: testSettings),
    .testTarget(
      name: "CofferComparisonTests", dependencies: libraryTests,
      swiftSettings: testSettings),
    .testTarget(
      name: "CofferTablesTests", dependencies: libraryTests,
      // Run by the tests, with Python.
      exclude: ["DataExport/compare-shapes.py", "Show/evaluate-predicates.py"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CofferReportsTests", dependencies: libraryTests,
      // Run by the tests, with Python.
      exclude: ["Report/look-at-page.py"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CofferEditingTests", dependencies: libraryTests,
      swiftSettings: testSettings),
    .testTarget(
      name: "CofferVaultTests", dependencies: libraryTests,
      swiftSettings: testSettings),
    .testTarget(
      name: "CofferDerivationTests", dependencies: libraryTests,
      // Run by the tests, with Python.
      exclude: [
        "Migrate/compare-migration.py", "Anonymize/find-originals.py",
        "Mappings/carry-out-mapping.py",
        "XMLStores/compare-xml-store.py",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["coffer", "AgeEncryption", "CofferKit", "POSIX", "TestSupport"],
      // The help texts as they should be.
      exclude: ["Help"],
      swiftSettings: testSettings),
    .testTarget(
      name: "FuzzingTests", dependencies: ["Fuzzing", "CoreDataArchive", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "DocumentationTests", dependencies: ["coffer", "CofferKit", "TestSupport"],
      // What the commands of the documentation find and call.
      exclude: ["Commands"],
      swiftSettings: testSettings),
  ]
)
