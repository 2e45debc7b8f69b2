internal import Testing

@testable internal import CoreDataModel

@Suite struct MarkupElementTests {
  private func parse(
    _ text: String, limits: MarkupElement.Limits = .answer
  ) -> MarkupElement? {
    try? MarkupElement.parse(Array(text.utf8), limits: limits)
  }

  @Test func elementsHaveAttributesTextAndChildren() throws {
    let root = try #require(
      parse(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <List xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Key>a&amp;b&#x41;&#233;</Key>
          <Empty/><Key a='>'>é</Key ></List>

        """))
    #expect(root.name == "List")
    #expect(root.all("Key").map(\.text) == ["a&bAé", "é"])
    #expect(root.all("Key").map { $0["a"] } == [nil, ">"])
    #expect(root.text(of: "Key") == "a&bAé")
    #expect(root.text(of: "Empty") == "")
    #expect(root.text(of: "None") == nil)
  }

  @Test(arguments: [
    "", "text", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a b=c/>", "<a b='c/>",
    "<a>&x;</a>", "<a>&#xD800;</a>", "<a>&amp</a>", "<!DOCTYPE a><a/>", "<?xml", "<a/>x",
    "<a>\u{0}</a", "<>", "</a>", "<!DOCTYPE a [<!ENTITY x \"yyyyyyyy\">]><a>&x;</a>",
  ])
  func anythingElseIsRefused(_ text: String) {
    #expect(parse(text) == nil)
  }

  @Test func deepNestingIsRefused() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(parse(nested(8)) != nil)
    #expect(parse(nested(9)) == nil)
    #expect(parse(nested(32), limits: .source) != nil)
    #expect(parse(nested(100_000), limits: .source) == nil)
  }

  @Test func manyElementsAreRefused() {
    func wide(_ count: Int) -> String {
      "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>"
    }
    #expect(parse(wide(MarkupElement.Limits.answer.count)) != nil)
    #expect(parse(wide(MarkupElement.Limits.answer.count + 1)) == nil)
  }

  @Test func bytesThatAreNotTextAreRefused() {
    #expect(throws: CofferError.self) {
      try MarkupElement.parse(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
    }
  }
}
