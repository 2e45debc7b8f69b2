internal import Foundation
internal import Testing

/// The pages hold together: links lead somewhere, examples can be read.
@Suite struct PageTests {
  @Test(arguments: try Repository.pages())
  func everyRelativeLinkLeadsSomewhere(_ path: String) throws {
    let page = try MarkdownPage(path)
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    for (line, target) in page.links where !target.contains("://") {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = parts[0].isEmpty ? path : Self.resolved(String(parts[0]), from: folder)
      #expect(Repository.exists(file), "\(path), line \(line): \(target)")
      guard parts.count == 2, file.hasSuffix(".md"), Repository.exists(file) else { continue }
      let anchors = try MarkdownPage(file).anchors
      #expect(anchors.contains(String(parts[1])), "\(path), line \(line): \(target)")
    }
  }

  @Test func everyPageIsLinkedFromTheReadme() throws {
    let targets = Set(try MarkdownPage("README.md").links.map(\.target))
    for page in try Repository.files(below: "docs", ending: ".md") {
      #expect(targets.contains(page), "\(page)")
    }
  }

  @Test(arguments: try Repository.files(below: "docs", ending: ".md"))
  func everyJSONExampleIsJSON(_ path: String) throws {
    for block in try MarkdownPage(path).blocks {
      let texts: [String]
      switch block.language {
      case "json": texts = [block.text]
      case "ndjson": texts = block.text.split(separator: "\n").map(String.init)
      default: continue
      }
      for text in texts {
        #expect(
          (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil,
          "\(path), line \(block.line)")
      }
    }
  }

  @Test func theFormatHasExamplesOfEveryDocument() throws {
    let page = try MarkdownPage("docs/archive-format.md")
    #expect(page.blocks.filter { $0.language == "json" }.count >= 5)
    #expect(page.blocks.filter { $0.language == "ndjson" }.count >= 3)
  }

  @Test func theChangelogHasAnUnreleasedSection() throws {
    let section = try MarkdownPage("CHANGELOG.md").section("## Unreleased")
    #expect(section?.contains("- ") == true)
  }

  @Test func theSectionsThatTheCodeNamesExist() throws {
    let page = try MarkdownPage("docs/store-format.md")
    let headings = page.lines.filter { $0.text.hasPrefix("#") }.map(\.text).joined(separator: "\n")
    var count = 0
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      for match in try Repository.text(path).matches(of: /store-format, sections? ([0-9.]*[0-9])/) {
        let number = String(match.output.1)
        // Sections 2 number their paragraphs instead of having headings.
        let isThere =
          headings.contains("# \(number). ") || headings.contains("# \(number) ")
          || page.prose.contains("**\(number)")
        #expect(isThere, "\(path): section \(number)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  private static func resolved(_ target: String, from folder: String) -> String {
    var parts = folder.split(separator: "/").map(String.init)
    for part in target.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
