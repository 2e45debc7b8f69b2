// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as an app would have it: it sees what CofferKit makes public, and nothing else.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    // In an app: .package(url: "<the address of this repository>", from: "0.1.0")
    .package(name: "coffer", path: "..")
  ],
  targets: [
    .target(
      name: "TodoBackups", dependencies: [.product(name: "CofferKit", package: "coffer")]),
    .executableTarget(name: "BackupInApp", dependencies: ["TodoBackups"]),
    .executableTarget(name: "RestoreAtLaunch", dependencies: ["TodoBackups"]),
    .testTarget(
      name: "TodoBackupsTests", dependencies: ["TodoBackups"],
      resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)
