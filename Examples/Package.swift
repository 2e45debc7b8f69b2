// swift-tools-version: 6.2
import PackageDescription

// A separate package, like an app: it sees only the public API of CofferKit.
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
