/// Old and new values, side by side, with the differing words marked.
struct ValueTable {
  struct Value {
    var name: String
    var old: String?
    var new: String?
    /// Whether it is insignificant, such as a counter.
    var isQuiet = false
  }

  /// A column of values.
  enum Side: String {
    case before = "Before"
    case after = "After"
  }

  var values: [Value]
  var sides: [Side] = [.before, .after]

  func write(to page: inout HTMLText) {
    page.element("div", ["class": "scroll"]) { page in
      page.element("table", ["class": sides.count > 1 ? "sides" : "sides one"]) { page in
        page.element("caption", ["class": "hidden"], text: "Values")
        page.element("thead") { page in
          page.element("tr") { page in
            for title in ["Property"] + sides.map(\.rawValue) {
              page.element("th", ["scope": "col"], text: title)
            }
          }
        }
        page.element("tbody") { page in
          // Minor values come last.
          for value in values.filter({ !$0.isQuiet }) + values.filter(\.isQuiet) {
            write(value, &page)
            page.line()
          }
        }
      }
    }
    page.line()
  }

  private func write(_ value: Value, _ page: inout HTMLText) {
    let isPair = sides.count > 1 && !value.isQuiet
    let words: WordDifference? =
      if isPair, let old = value.old, let new = value.new { WordDifference(old, new) } else { nil }
    page.element("tr", value.isQuiet ? ["class": "quiet"] : [:]) { page in
      page.element("th", ["scope": "row"]) { $0.name(value.name) }
      for side in sides {
        page.element("td", ["data-title": side.rawValue]) { page in
          switch side {
          case .before: Self.write(value.old, words?.old, isPair ? "del" : nil, &page)
          case .after: Self.write(value.new, words?.new, isPair ? "ins" : nil, &page)
          }
        }
      }
    }
  }

  private static func write(
    _ text: String?, _ pieces: [WordDifference.Piece]?, _ mark: StaticString?,
    _ page: inout HTMLText
  ) {
    guard let text else {
      return page.element("span", ["class": "none"], text: "nothing")
    }
    page.element("bdi") { page in
      for piece in pieces ?? [.init(text: text, isCommon: false)] {
        if let mark, !piece.isCommon {
          page.element(mark, text: piece.text)
        } else {
          page.write(piece.text)
        }
      }
    }
  }
}
