internal import Foundation
internal import TestSupport
internal import Testing

/// The manifest, from `swift package dump-package`: the products that an app gets with the package.
@Suite struct ManifestTests {
  private static let apple: Set = [
    "ios", "macos", "maccatalyst", "tvos", "watchos", "visionos", "driverkit",
  ]

  private struct Package: Decodable {
    var traits: [Trait]
    var targets: [Target]

    /// The targets that others need, by a name and all that it depends on.
    func reached(from name: String) -> [Target] {
      var found: [Target] = []
      var open = [name]
      while let next = open.popLast() {
        guard let target = targets.first(where: { $0.name == next }),
          !found.contains(where: { $0.name == next })
        else { continue }
        found.append(target)
        open += target.dependencies.compactMap { $0.own?.name }
      }
      return found
    }
  }

  private struct Trait: Decodable {
    var name: String
    var enabledTraits: [String]
  }

  private struct Target: Decodable {
    var name: String
    var type: String
    var dependencies: [Dependency]
    var settings: [Setting]
  }

  private struct Condition: Decodable {
    var platformNames: [String]?
    var traits: [String]?
  }

  /// A dependency: its kind as the key of an array of a name, for products a package, and a condition.
  private struct Dependency: Decodable {
    var target: [Part]?
    var byName: [Part]?
    var product: [Part]?

    /// A target of this package, and when it is needed.
    var own: (name: String, condition: Condition?)? {
      guard let parts = target ?? byName, case .text(let name) = parts.first else { return nil }
      return (name, parts.lazy.compactMap(\.condition).first)
    }
    /// The name of a product of another package.
    var foreign: String? { if case .text(let name) = product?.first { name } else { nil } }
  }

  private enum Part: Decodable {
    case text(String)
    case condition(Condition)
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let condition = try? container.decode(Condition.self), !container.decodeNil() {
        self = .condition(condition)
      } else {
        self = .other
      }
    }

    var condition: Condition? {
      if case .condition(let condition) = self { condition } else { nil }
    }
  }

  private struct Setting: Decodable {
    var kind: [String: Content]
    var condition: Condition?
    /// The name that is defined, or nil for another kind.
    var defined: String? { kind["define"]?.text }
  }

  /// What a kind of setting holds.
  private struct Content: Decodable {
    /// The text, or nil for a list.
    var text: String?

    private enum CodingKeys: String, CodingKey { case text = "_0" }

    init(from decoder: any Decoder) throws {
      text = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
    }
  }

  private static let dumped: Result<Package, any Error> = Result {
    let swift = try #require(ProcessRunner.find("swift"))
    // The folder of the build is in use.
    let scratch = try TemporaryDirectory()
    let result = try ProcessRunner(swift).run([
      "package", "--package-path", Repository.root.path, "--scratch-path", scratch.path,
      "dump-package",
    ])
    try #require(result.status == 0, "\(result.errorOutput)")
    return try JSONDecoder().decode(Package.self, from: Data(result.outputBytes))
  }

  /// Whether a condition holds for an app on one of Apple's platforms that asks for nothing.
  private func holdsOnApple(_ condition: Condition?, _ defaults: Set<String>) -> Bool {
    let platforms = condition?.platformNames ?? []
    let traits = condition?.traits ?? []
    return (platforms.isEmpty || !Self.apple.isDisjoint(with: platforms))
      && (traits.isEmpty || !defaults.isDisjoint(with: traits))
  }

  @Test func noApplePlatformNeedsWhatItsSystemLacks() throws {
    let package = try Self.dumped.get()
    let defaults = Set(package.traits.first { $0.name == "default" }?.enabledTraits ?? [])
    #expect(defaults == ["Libdeflate", "Zstd"])
    let library = package.reached(from: "CofferKit")
    let optional: Set = ["CDeflate", "CZstd"]
    #expect(optional.isSubset(of: library.map(\.name)))
    for target in library {
      let needed = target.dependencies.compactMap(\.own)
        .filter { holdsOnApple($0.condition, defaults) }.map(\.name)
      #expect(optional.isDisjoint(with: needed), "\(target.name)")
      let defined = target.settings.filter { holdsOnApple($0.condition, defaults) }
        .compactMap(\.defined)
      #expect(defined == [], "\(target.name)")
    }
    // zlib is a part of Apple's systems; nothing else may be looked for in the system.
    let system = library.filter { $0.type == "system" }.map(\.name)
    #expect(Set(system) == ["CDeflate", "CZlib", "CZstd"])
  }

  @Test func theLibraryNeedsNoProductsOfOthersButThese() throws {
    let library = try Self.dumped.get().reached(from: "CofferKit")
    #expect(
      Set(library.flatMap(\.dependencies).compactMap(\.foreign))
        == ["Crypto", "CryptoExtras", "GRDB", "GRDBSQLite"])
  }

  /// A newer compiler with one more warning must not break the build of an app, nor may unsafe flags, which
  /// packages with dependents cannot have.
  @Test func noProductIsBuiltWithStrictOrUnsafeFlags() throws {
    for target in try Self.dumped.get().targets where target.type != "test" {
      let kinds = Set(target.settings.flatMap(\.kind.keys))
      #expect(kinds.isDisjoint(with: ["treatAllWarnings", "treatWarning", "unsafeFlags"]))
    }
  }
}
