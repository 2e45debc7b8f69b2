internal import Foundation
internal import Testing

/// The articles of the library show code that is built and run: that of the package in Examples.
@Suite struct ArticleTests {
  private static let catalog = "Sources/CofferKit/CofferKit.docc"

  /// What apps write that are not in Examples, such as one call in the overview.
  private static let fragments: Set = [
    "let summary = try await StoreExporter().export(storeAt: store.path, to: archive.path)\n",
    "for try await finding in Verifier().findings(in: store.path) { print(finding) }\n",
  ]

  @Test(arguments: try Repository.files(below: catalog, ending: ".md"))
  func everyBlockOfCodeStandsInTheExamples(_ path: String) throws {
    let sources =
      try Repository.files(below: "Examples/Sources", ending: ".swift")
      + Repository.files(below: "Examples/Tests", ending: ".swift")
    let texts = try sources.map(Repository.text)
    for block in try MarkdownPage(path).blocks where !Self.fragments.contains(block.text) {
      #expect(block.language == "swift", "\(path), line \(block.line)")
      #expect(texts.contains { $0.contains(block.text) }, "\(path), line \(block.line)")
    }
  }

  @Test func everyArticleIsOnTheFirstPageAndShowsCode() throws {
    let first = try Repository.text("\(Self.catalog)/CofferKit.md")
    let articles = try Repository.files(below: Self.catalog, ending: ".md")
      .filter { try !Repository.text($0).hasPrefix("# ``") }
    #expect(articles.count >= 4)
    for path in articles {
      let name = (path as NSString).lastPathComponent.dropLast(3)
      #expect(first.contains("<doc:\(name)>"), "\(path)")
      #expect(try !MarkdownPage(path).blocks.isEmpty, "\(path)")
    }
  }

  @Test func theExamplesSeeOnlyWhatIsPublic() throws {
    for folder in ["Examples/Sources", "Examples/Tests"] {
      for path in try Repository.files(below: folder, ending: ".swift") {
        let text = try Repository.text(path)
        #expect(!text.contains("@testable"), "\(path)")
        #expect(!text.contains("import CoreData"), "\(path)")
      }
    }
  }
}
