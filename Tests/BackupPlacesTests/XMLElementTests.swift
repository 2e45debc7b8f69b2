internal import Testing

@testable internal import BackupPlaces

@Suite struct XMLElementTests {
  private func parse(_ text: String) -> XMLElement? { XMLElement(Array(text.utf8)) }

  @Test func elementsHaveTextAndChildren() throws {
    let root = try #require(
      parse(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <List xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Key>a&amp;b&#x41;&#233;</Key>
          <Empty/><Key a='>'>é</Key ></List>

        """))
    #expect(root.name == "List")
    #expect(root.all("Key").map(\.text) == ["a&bAé", "é"])
    #expect(root["Key"] == "a&bAé")
    #expect(root["Empty"] == "")
    #expect(root["None"] == nil)
  }

  @Test(arguments: [
    "", "text", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a b=c/>", "<a b='c/>",
    "<a>&x;</a>",
    "<a>&#xD800;</a>", "<a>&amp</a>", "<!DOCTYPE a><a/>", "<a><!-- --></a>", "<a><![CDATA[x]]></a>",
    "<?xml", "<a/>x", "<a>\u{0}</a", "<>", "</a>",
    "<!DOCTYPE a [<!ENTITY x \"yyyyyyyy\">]><a>&x;</a>",
  ])
  func whatIsNoSuchXMLIsRefused(_ text: String) {
    #expect(parse(text) == nil)
  }

  @Test func deepNestingIsRefused() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(parse(nested(8)) != nil)
    #expect(parse(nested(9)) == nil)
    #expect(parse(nested(100_000)) == nil)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(XMLElement(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil)
  }
}
