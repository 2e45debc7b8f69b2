// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that a plain build of the product never builds benchmarks. It runs the
// product's programs, as users do, and links nothing of them.
let package = Package(
  name: "CofferBenchmarks",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(
      name: "CofferBenchmarks",
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
      ])
  ]
)
