internal import Testing

/// The folders of a module stand in an order: what a file uses is in its own folder or in one before it.
@Suite struct FolderOrderTests {
  /// The folders of each module, lowest first; the empty name is the module's own folder.
  private static let folders: [String: [String]] = [
    "AgeEncryption": [""],
    "DataCompression": [""],
    "POSIX": [""],
    "BackupPlaces": ["", "Folder", "S3", "Rclone"],
    "CoreDataModel": ["Errors", "Text", "", "ModelFile", "Migration", "SourceModel"],
    "CoreDataLayout": [""],
    "CoreDataStore": [
      "", "SQLite", "Schema", "Layout", "SystemTables", "Reading", "Audit", "Opening", "Writing",
      "Editing", "Linking", "Design", "Migration", "Salvage", "Following",
    ],
    "CoreDataArchive": [
      "", "JSON", "Index", "Documents", "Streams", "Container", "Salvage", "Reading",
    ],
    "CofferKit": [
      "", "Progress", "Lines", "Findings", "Findings/Codes", "Reading", "Models", "Opening",
      "Lint", "ModelOutput/Diagram", "ModelOutput", "Find", "Create", "Inspect",
      "Export/Salvage", "Export",
      "Verify/Storage", "Verify/Context", "Verify/Checks/Relationships", "Verify/Checks/External",
      "Verify/Checks/History", "Verify/Checks/Versions", "Verify/Checks/Derived",
      "Verify/Checks/Spatial", "Verify/Checks/Uniqueness", "Verify/Checks/Validation",
      "Verify/Checks/Values", "Verify/Checks", "Verify",
      "Show", "Series", "Import/Rows", "Import/References", "Import/Selection", "Import", "Migrate",
      "DataExport", "Matching", "Tables", "Fixture", "Diff", "Changes", "Chain", "Merge", "Query",
      "Dedupe", "Repair/Fixers", "Repair", "Rescue", "Share/Replacement", "Share",
      "Verify/Against", "Report/Content", "Report/Survey", "Report", "Report/HTML", "Diff/HTML",
      "History", "Vault/State", "Vault", "Compact", "Watch", "Concurrency",
    ],
    "coffer": [
      "", "Output", "Options", "Commands", "Commands/Create", "Commands/Diff", "Commands/Changes",
      "Commands/Merge", "Commands/Dedupe", "Commands/Repair", "Commands/Compact",
      "Commands/Export", "Commands/Rescue",
      "Commands/Find", "Commands/Import", "Commands/Fixture", "Commands/Inspect",
      "Commands/Migrate",
      "Commands/Model", "Commands/Show", "Commands/SQL", "Commands/Share", "Commands/Verify",
      "Commands/Watch",
      "Commands/Vault", "Commands/MCP", "Program",
    ],
  ]

  /// A Swift file, with the folder that it stands in below its module.
  private struct File {
    var path: String
    var folder: String
    var words: SwiftWords
  }

  @Test(arguments: folders.keys.sorted())
  func filesUseTypesOfTheirOwnAndOfEarlierFolders(_ module: String) throws {
    let order = try #require(Self.folders[module])
    let files = try Self.files(of: module)
    for file in files {
      #expect(order.contains(file.folder), "\(file.path) is in no known folder")
      #expect(file.words.isBalanced, "\(file.path) cannot be followed")
    }
    let faults = Self.faults(in: files, order)
    #expect(faults == [], "\(faults.joined(separator: "\n"))")
  }

  @Test func everyModuleHasAnOrder() throws {
    let modules = try Repository.files(below: "Sources", ending: ".swift")
      .map { String($0.split(separator: "/")[1]) }
    #expect(Set(modules) == Set(Self.folders.keys))
  }

  /// What docs/style.md says of the size of a file.
  @Test func noFileIsLongerThanTheStylePageAllows() throws {
    #expect(try Repository.text("docs/style.md").contains("100 to 250 lines, at most 400."))
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      let count = try Repository.text(path).utf8.count { $0 == UInt8(ascii: "\n") }
      #expect(count <= 400, "\(path) has \(count) lines")
    }
  }

  @Test func aUseOfALaterFolderIsAFault() {
    let low = #"""
      /// Made by ``High``.
      struct Low {
        struct Part {}
        private let text = "High \(count("High")) \"High\""
        func make() -> High? { nil }
      }
      private enum Hidden {}
      """#
    let high = "final class High { let low: Low.Part /* Low */ ; enum Hidden {} }"
    let files = [
      File(path: "Low.swift", folder: "A", words: SwiftWords(low)),
      File(path: "High.swift", folder: "B", words: SwiftWords(high)),
    ]
    #expect(files.map(\.words.declared) == [["Low"], ["High"]])
    #expect(Self.faults(in: files, ["A", "B"]) == ["Low.swift uses High of B"])
    #expect(Self.faults(in: files, ["B", "A"]) == ["High.swift uses Low of A"])
  }

  private static func files(of module: String) throws -> [File] {
    try Repository.files(below: "Sources/\(module)", ending: ".swift").map { path in
      File(
        path: path,
        folder: path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/"),
        words: SwiftWords(try Repository.text(path)))
    }
  }

  private static func faults(in files: [File], _ order: [String]) -> [String] {
    var places: [String: Int] = [:]
    for file in files {
      for type in file.words.declared { places[type] = order.firstIndex(of: file.folder) }
    }
    return files.flatMap { file -> [String] in
      guard let own = order.firstIndex(of: file.folder) else { return [] }
      return file.words.used.sorted().compactMap { word in
        guard let place = places[word], place > own else { return nil }
        return "\(file.path) uses \(word) of \(order[place])"
      }
    }
  }
}
