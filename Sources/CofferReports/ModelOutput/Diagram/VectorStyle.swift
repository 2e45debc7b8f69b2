/// The colors and fonts of a drawing.
enum VectorStyle {
  /// The hues of entities and the lines that begin there: the color, and the tint of a heading on
  /// light and dark backgrounds.
  static let hues: [(light: String, dark: String, tint: String, shade: String)] = [
    ("#0969da", "#58a6ff", "#ddf4ff", "#0c2d6b"), ("#1a7f37", "#3fb950", "#dafbe1", "#033a16"),
    ("#8250df", "#bc8cff", "#fbefff", "#3c1e70"), ("#9a6700", "#d29922", "#fff8c5", "#4b2900"),
    ("#bf3989", "#f778ba", "#ffeff7", "#5e103e"), ("#1b7c83", "#39c5cf", "#d7f5f7", "#0b3b40"),
    ("#bc4c00", "#f0883e", "#fff1e5", "#5a1e02"),
  ]

  /// The style sheet of a standalone drawing.
  static let text = sheet()

  /// The style sheet of drawings in a page; the printed version is light.
  ///
  /// - Parameter scope: a selector for the drawings; nothing else in the page is affected.
  /// - Returns: the rules.
  static func text(within scope: String) -> String {
    sheet(prefix: scope + " ", media: "screen and (prefers-color-scheme:dark)")
  }

  private typealias Rule = (selectors: String, style: String)

  private static func sheet(
    prefix: String = "", media: String = "(prefers-color-scheme:dark)"
  ) -> String {
    func text(_ rules: [Rule]) -> String {
      rules.map { rule in
        let selectors = rule.selectors.split(separator: ",").map { prefix + $0 }
        return "\(selectors.joined(separator: ",")){\(rule.style)}"
      }.joined()
    }
    return text(light) + "@media\(prefix.isEmpty ? "" : " ")\(media){\(text(dark))}"
  }

  private static let light: [Rule] = {
    let font = "-apple-system,BlinkMacSystemFont,\"Segoe UI\",Helvetica,Arial,sans-serif"
    var rules: [Rule] = [
      ("text", "font-family:\(font);font-size:\(DiagramBox.textSize)px;fill:#1f2328"),
      (".ground", "fill:#fff"),
      (".entity rect", "fill:#fff;stroke:#8c959f"),
      (".rule", "stroke:#d0d7de"),
      (".name", "font-size:\(DiagramBox.titleSize)px;font-weight:600"),
      (".abstract", "font-style:italic"),
      (".detail", "text-anchor:end;fill:#59636e"),
      (".faint", "font-style:italic;fill:#59636e"),
      (".link path,.inherits path", "fill:none;stroke-width:1.3"),
      (".link text", "font-size:9px;fill:#59636e"),
      (".inherits path", "stroke:#57606a"),
      (".inherits .tip", "fill:#fff"),
      (".link:hover path,.inherits:hover path", "stroke-width:3"),
    ]
    for (number, hue) in hues.enumerated() {
      rules += colors(number, heading: hue.tint, line: hue.light)
    }
    return rules
  }()

  private static let dark: [Rule] = {
    var rules: [Rule] = [
      ("text", "fill:#e6edf3"), (".ground", "fill:#0d1117"),
      (".entity rect", "fill:#161b22;stroke:#6e7681"), (".rule", "stroke:#30363d"),
      (".detail,.faint,.link text", "fill:#9198a1"), (".inherits path", "stroke:#9198a1"),
      (".inherits .tip", "fill:#0d1117"),
    ]
    for (number, hue) in hues.enumerated() {
      rules += colors(number, heading: hue.shade, line: hue.dark)
    }
    return rules
  }()

  private static func colors(_ number: Int, heading: String, line: String) -> [Rule] {
    [
      (".h\(number) .head", "fill:\(heading)"), (".c\(number) path", "stroke:\(line)"),
      (".c\(number) .tip", "fill:\(line)"),
    ]
  }
}
