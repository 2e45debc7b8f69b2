internal import Testing

/// The modules import the modules in docs/architecture.md, and no others of ours.
@Suite struct LayeringTests {
  /// What each module may import of ours and of others; system modules are free.
  private static let allowed: [String: Set<String>] = [
    "AgeEncryption": ["Crypto", "CryptoExtras"],
    "DataCompression": ["CDeflate", "CZlib", "CZstd"],
    "POSIX": [],
    "BackupPlaces": ["CCurl", "CoreDataModel", "Crypto", "POSIX"],
    "CoreDataModel": ["DataCompression", "POSIX"],
    "CoreDataLayout": ["CoreDataModel"],
    "CoreDataStore": [
      "CoreDataLayout", "CoreDataModel", "CSQLiteConfiguration", "GRDB", "GRDBSQLite", "POSIX",
    ],
    "CoreDataDesign": ["CoreDataLayout", "CoreDataModel", "CoreDataStore", "POSIX"],
    "CoreDataPages": [
      "CoreDataDesign", "CoreDataLayout", "CoreDataModel", "CoreDataStore", "POSIX",
    ],
    "CoreDataArchive": [
      "AgeEncryption", "CoreDataLayout", "CoreDataModel", "DataCompression", "Crypto", "POSIX",
    ],
    "CofferCore": engine.union(["Crypto"]),
    "CofferComparison": engine.union(["CofferCore"]),
    "CofferTables": engine.union(["CofferComparison", "CofferCore"]),
    "CofferReports": engine.union(["CofferComparison", "CofferCore", "Crypto"]),
    "CofferEditing": engine.union(["CofferComparison", "CofferCore", "CofferTables"]),
    "CofferVault": engine.union([
      "BackupPlaces", "CofferComparison", "CofferCore", "CofferEditing", "CofferTables", "Crypto",
    ]),
    "CofferDerivation": engine.union(["CofferCore", "CofferTables", "Crypto"]),
    "CofferKit": guests.union([
      "CofferCore", "CoreDataArchive", "CoreDataModel", "CoreDataPages", "CoreDataStore",
    ]),
    "coffer": [
      "ArgumentParser", "CofferKit", "CoreDataArchive", "CoreDataLayout", "CoreDataModel",
      "CoreDataPages", "CoreDataStore", "POSIX",
    ],
  ]
  /// What the engine and its guests are built on.
  private static let engine: Set<String> = [
    "CoreDataArchive", "CoreDataDesign", "CoreDataLayout", "CoreDataModel", "CoreDataPages",
    "CoreDataStore", "POSIX",
  ]
  /// The modules that use the engine, and that it does not know.
  static let guests: Set<String> = [
    "CofferComparison", "CofferDerivation", "CofferEditing", "CofferReports", "CofferTables",
    "CofferVault",
  ]
  /// The engine, its guests, and the module that joins them.
  static let library = (guests.union(["CofferCore", "CofferKit"])).sorted()
  /// The modules below the engine whose types an app sees.
  static let published: Set<String> = [
    "CoreDataArchive", "CoreDataModel", "CoreDataPages", "CoreDataStore",
  ]
  private static let system: Set<String> = [
    "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationXML", "Glibc", "Musl",
    "Synchronization",
  ]

  @Test(arguments: allowed.keys.sorted())
  func importsFollowTheTable(_ module: String) throws {
    let allowed = try #require(Self.allowed[module]).union(Self.system)
    let files = try Repository.files(below: "Sources/\(module)", ending: ".swift")
    #expect(!files.isEmpty)
    for path in files {
      for name in try Self.imports(of: path) {
        #expect(allowed.contains(name), "\(path) imports \(name)")
      }
    }
  }

  @Test func everyModuleIsInTheTable() throws {
    let modules = try Repository.files(below: "Sources", ending: ".swift")
      .map { String($0.split(separator: "/")[1]) }
    #expect(Set(modules) == Set(Self.allowed.keys))
  }

  @Test func onlyOneModuleKnowsTheSystemsLibraries() throws {
    for folder in ["Sources", "Tests"] {
      for path in try Repository.files(below: folder, ending: ".swift")
      where !path.hasPrefix("Sources/POSIX/") {
        let text = try Repository.text(path)
        #expect(!text.contains(/canImport\((Darwin|Glibc|Musl)\)/), "\(path)")
        #expect(!text.contains(/(?m)^ *(internal )?import (Darwin|Glibc|Musl)$/), "\(path)")
      }
    }
  }

  @Test func onlyOneFolderKnowsTheDatabaseLibrary() throws {
    for path in try Repository.files(below: "Sources/CoreDataStore", ending: ".swift")
    where !path.hasPrefix("Sources/CoreDataStore/SQLite/") {
      let imports = try Self.imports(of: path)
      #expect(imports.isDisjoint(with: ["CSQLiteConfiguration", "GRDB", "GRDBSQLite"]), "\(path)")
    }
  }

  @Test func onlyOneFolderKnowsTheLibraryOfRequests() throws {
    for path in try Repository.files(below: "Sources/BackupPlaces", ending: ".swift")
    where !path.hasPrefix("Sources/BackupPlaces/S3/") {
      #expect(try Self.imports(of: path).isDisjoint(with: ["CCurl", "Crypto"]), "\(path)")
    }
  }

  /// An app sees no type of a library that coffer is built from, only those of Foundation.
  ///
  /// The compiler refuses a type in a public
  /// declaration unless its module is imported publicly there, so it is enough to look at the imports;
  /// `scripts/documentation` looks at the public symbols too.
  @Test(arguments: library + published.sorted())
  func nothingOfOthersIsInThePublicInterface(_ module: String) throws {
    // A moment is a `Date`.
    let seen = Self.published.union(Self.library).union(["Foundation"])
    for path in try Repository.files(below: "Sources/\(module)", ending: ".swift") {
      var found: Set<String> = []
      for match in try Repository.text(path).matches(
        of: /(?m)^ *((?:@[A-Za-z_()]+ )*)(internal|package|public)? ?import ([A-Za-z]+)/)
      {
        found.insert(String(match.output.3))
        let isPublic = match.output.2 == "public" || !match.output.1.isEmpty
        #expect(!isPublic || seen.contains(String(match.output.3)), "\(path): \(match.output.0)")
      }
      #expect(try found.isSuperset(of: Self.imports(of: path)), "\(path)")
    }
  }

  /// The check above relies on it: an import without a word reaches no further than its file.
  @Test func importsAreInternalUnlessTheySayMore() throws {
    let manifest = try Repository.text("Package.swift")
    #expect(manifest.contains(".enableUpcomingFeature(\"InternalImportsByDefault\")"))
    #expect(
      manifest.matches(of: /\.target\(\s*name: "/).count
        <= manifest.matches(of: /swiftSettings: (?:settings|testSettings)/).count)
  }

  @Test func everyImportSaysHowFarItReaches() throws {
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      for match in try Repository.text(path).matches(of: /(?m)^ *(import [A-Za-z]+)/) {
        Issue.record("\(path): \(match.output.1)")
      }
    }
  }

  @Test func nothingBelowTheProgramPrintsOrEndsTheProcess() throws {
    for path in try Repository.files(below: "Sources", ending: ".swift")
    where !path.hasPrefix("Sources/coffer/") {
      for word in try Self.code(of: path).matches(
        of: /(?:^|[^.A-Za-z])(print|exit|CommandLine)[(.]/)
      {
        Issue.record("\(path): \(word.output.1)")
      }
    }
  }

  private static func imports(of path: String) throws -> Set<String> {
    let pattern = /(?m)^ *(?:@[a-z_]+ )*(?:internal |package |public )?import ([A-Za-z]+)/
    return Set(try Repository.text(path).matches(of: pattern).map { String($0.output.1) })
  }

  /// The lines of a file that are no comments.
  private static func code(of path: String) throws -> String {
    try Repository.text(path).split(separator: "\n")
      .filter { line in !line.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
  }
}
