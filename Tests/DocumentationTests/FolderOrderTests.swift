internal import Testing

/// The folders of a module have an order: a file uses types of its own folder or of earlier ones.
@Suite struct FolderOrderTests {
  /// The folders of each module, lowest first; the empty name is the module's own folder.
  ///
  /// A folder includes its subfolders. At most ten are named: more have to become another module.
  private static let folders: [String: [String]] = [
    "AgeEncryption": [""],
    "DataCompression": [""],
    "POSIX": [""],
    "BackupPlaces": ["", "Folder", "S3", "Rclone"],
    "CoreDataModel": [
      "Names", "Errors", "Text", "XML", "Instants", "", "ModelFile", "Migration", "SourceModel",
    ],
    "CoreDataLayout": [""],
    "CoreDataStore": [
      "", "SQLite", "Schema", "Layout", "SystemTables", "Reading", "Audit", "Opening", "Writing",
      "Editing",
    ],
    "CoreDataDesign": ["", "Design", "Migration"],
    "CoreDataPages": ["", "Salvage", "Following"],
    "CoreDataArchive": [
      "", "JSON", "Index", "Documents", "Streams", "Container", "Salvage", "Reading",
    ],
    "CofferCore": [
      "", "Findings", "Lines", "Reading", "Opening", "Inspect", "Export", "Storage", "Verify",
      "Predicates", "Import",
    ],
    "CofferComparison": ["", "Matching", "Diff", "Against"],
    "CofferTables": ["", "Series", "Show", "DataExport", "Query", "Sheets"],
    "CofferReports": ["", "ModelOutput", "Report", "Comparison"],
    "CofferEditing": ["", "Changes", "Chain", "Merge", "Dedupe", "Repair", "Rescue", "Compact"],
    "CofferVault": ["", "History", "Vault", "Watch"],
    "CofferDerivation": ["", "XMLStores", "Mappings", "Migrate", "Fixture", "Anonymize"],
    "CofferKit": [""],
    "coffer": ["", "Output", "Options", "Commands", "Program"],
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
    for (module, folders) in Self.folders {
      #expect(folders.count <= 11, "\(module) has \(folders.count - 1) folders")
    }
  }

  /// The maximum size of a file in docs/style.md.
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
        folder: path.split(separator: "/").dropFirst(2).dropLast().first.map(String.init) ?? "",
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
