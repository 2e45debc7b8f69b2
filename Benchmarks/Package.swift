// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// A package of its own, so that a plain build of the product never builds benchmarks. It runs the
// product's programs, as users do, and links nothing of them.
let package = Package(
  name: "CofferBenchmarks",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "scan-store", dependencies: ["CSQLite"], path: "Sources/ScanStore",
      swiftSettings: settings),
    .executableTarget(name: "CofferBenchmarks", swiftSettings: settings),
    .testTarget(
      name: "CofferBenchmarksTests", dependencies: ["CofferBenchmarks"], swiftSettings: settings),
  ]
)

// They need the libraries that coffer uses on Linux.
#if os(Linux)
  package.targets += [
    .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
    .executableTarget(
      name: "floors", dependencies: ["CDeflate", "CSQLite", "CZstd"], path: "Sources/Floors",
      swiftSettings: settings),
  ]
#endif
