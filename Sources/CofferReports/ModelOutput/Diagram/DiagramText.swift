/// The approximate width of text in a sans-serif font.
///
/// No real font is used, so that text has the same width everywhere.
enum DiagramText {
  /// The width of a text in points, too large rather than too small.
  static func width(_ text: String, size: Int, isBold: Bool = false) -> Int {
    var thousandths = 0
    for scalar in text.unicodeScalars { thousandths += width(scalar) }
    if isBold { thousandths += thousandths / 12 }
    return (thousandths * size + 999) / 1000
  }

  /// The width of a character in thousandths of the font size.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!": 320
    case "f", "t", "r", " ", "(", ")", "[", "]", "-", "/": 420
    case "m", "w", "M", "W", "@", "%", "→", "≥": 930
    case "A"..."Z": 710
    case "a"..."z", "0"..."9", "_": 610
    case "\u{0}"..."\u{7F}": 600
    // Wide scripts of Asia, and pictures.
    case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
      "\u{FE30}"..."\u{FE6F}", "\u{FF00}"..."\u{FF60}", "\u{1F000}"..."\u{3FFFF}":
      1050
    default: 750
    }
  }
}
