internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CofferReports

@Suite struct HTMLTextTests {
  @Test(
    arguments: [
      ("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;"), ("tab\tnul\u{0}bell\u{7}", "tab␉nul␀bell␇"),
      ("\u{7F}\u{85}\u{FFFF}", "␡\u{FFFD}\u{FFFD}"), ("\u{202E}txt", "[U+202E]txt"),
      ("שלום", "שלום"), ("👩‍👧", "👩‍👧"), ("", ""),
    ])
  func nothingInATextMeansAnything(_ text: String, _ escaped: String) {
    #expect(HTMLText.escaped(text) == escaped)
  }

  @Test func attributesAreEscapedToo() {
    var page = HTMLText()
    page.element("p", ["class": "\"><script>"], text: "x")
    #expect(page.text == "<p class=\"&quot;&gt;&lt;script&gt;\">x</p>")
  }

  @Test func namesKeepTheirDirectionToThemselves() {
    var page = HTMLText()
    page.name("שם.a")
    #expect(page.text == "<bdi>שם.<wbr>a</bdi>")
  }

  /// The colours of a palette in the style sheet.
  private static func palette(_ name: String) throws -> [String: String] {
    let sheet = HTMLStyle.text
    let mark = name == "dark" ? "(prefers-color-scheme:dark){:root{" : ":root{"
    let start = try #require(sheet.range(of: mark))
    let rules = sheet[start.upperBound...].prefix { $0 != "}" }
    var colors: [String: String] = [:]
    for match in rules.matches(of: /--([a-z]+):(#[0-9a-f]{6})/) {
      colors[String(match.output.1)] = String(match.output.2)
    }
    return colors
  }

  /// The relative luminance of WCAG 2.2.
  private static func luminance(_ color: String) throws -> Double {
    let value = try #require(Int(color.dropFirst(), radix: 16))
    let parts = [value >> 16, value >> 8 & 0xFF, value & 0xFF].map { part -> Double in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test(arguments: ["light", "dark"]) func colorsCanBeToldApart(_ name: String) throws {
    let palette = try Self.palette(name)
    func contrast(_ one: String, _ other: String) throws -> Double {
      let values = try [one, other].map { try Self.luminance(try #require(palette[$0])) }.sorted()
      return (values[1] + 0.05) / (values[0] + 0.05)
    }
    for text in ["text", "muted", "accent", "error", "warning", "info", "good"] {
      for ground in ["ground", "surface"] {
        #expect(try contrast(text, ground) >= 4.5, "\(name): \(text) on \(ground)")
      }
    }
    // What is drawn needs 3:1.
    #expect(try contrast("bar", "ground") >= 3)
    #expect(try contrast("bar", "track") >= 3)
  }
}
