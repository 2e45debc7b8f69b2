internal import Foundation
internal import Testing

/// Rules of the sources that no import shows: names that stand in one module, and sizes of files.
@Suite struct LayeringNameTests {
  /// A file of the sources.
  struct Source: Sendable {
    /// The path below `Sources`.
    let path: String
    /// The lines without comments that have lines of their own.
    let code: [String]
    /// The number of lines of the file.
    let lineCount: Int

    var module: String { path.split(separator: "/").first.map(String.init) ?? "" }
  }

  static let sources: [Source] = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let folder = root.appendingPathComponent("Sources").path
    let names = FileManager.default.subpaths(atPath: folder) ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
      let lines = String(decoding: data, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      let trimmed = lines.map { $0.trimmingCharacters(in: .whitespaces) }
      return Source(
        path: name, code: trimmed.filter { !$0.hasPrefix("//") }, lineCount: lines.count - 1)
    }
  }()

  @Test func theSourcesAreFound() {
    #expect(Self.sources.count > 100)
    let database = Self.sources.filter { $0.module == "CoreDataStore" }.flatMap(\.code)
    #expect(database.contains { $0.contains("Z_PRIMARYKEY") })
  }

  /// The modules of stores have the names of Core Data's tables and columns; the `Z_` of zlib is another.
  @Test func storedNamesStandInTheModulesOfStores() {
    let allowed = ["CoreDataStore", "CoreDataDesign", "CoreDataPages", "DataCompression"]
    for source in Self.sources where !allowed.contains(source.module) {
      for line in source.code {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let names = words.filter { word in
          word.hasPrefix("Z_") || word.hasPrefix("ANSCK")
            || (word.hasPrefix("Z") && word.count > 1 && word.allSatisfy(\.isUppercase))
            || ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(word)
        }
        #expect(names.isEmpty, "\(source.path): \(line)")
      }
    }
  }

  @Test func theModelNeedsFoundationForFilesAndTimeZonesAlone() {
    for source in Self.sources where source.module == "CoreDataModel" {
      let mayImport =
        source.path.hasPrefix("CoreDataModel/ModelFile/")
        || source.path == "CoreDataModel/Instants/Instant+Moment.swift"
        || source.path == "CoreDataModel/XML/MarkupElement.swift"
      #expect(
        mayImport || !source.code.contains { $0.hasSuffix("import Foundation") }, "\(source.path)")
    }
  }

  @Test func noFileIsLong() {
    for source in Self.sources { #expect(source.lineCount <= 600, "\(source.path)") }
  }
}
