internal import CofferKit
internal import CoreDataModel
internal import StoreGenerator
internal import Testing

/// XML stores, read as data.
@Suite struct XMLStoreReaderTests {
  @Test func theContentIsThatOfTheFile() throws {
    let store = try XMLStoreReader.parse(Array(XMLStoreSample.text.utf8))
    #expect(store.uuid == XMLStoreSample.uuid)
    #expect(store.metadata.map(\.key).sorted() == ["NSPersistenceFrameworkVersion", "theme"])
    #expect(store.objects.map(\.id) == ["z104", "z102", "z103"])
    let folder = try #require(store.objects.first)
    #expect(folder.type == "FOLDER")
    #expect(folder.text("name") == "A <&> B")
    #expect(folder.ids("notes") == ["z103", "z102"])
    #expect(store.objects[1].text("title") == " two  spaces ")
    #expect(store.objects[1].text("missing") == nil)
  }

  /// Files that contradict the format, and the code of the error.
  private static let wrong: [(text: String, code: CofferError.Code)] = [
    ("", .notCoreData), ("{}", .notCoreData), ("<html></html>", .notCoreData),
    ("<database>", .damagedStore), ("<database></object></database>", .damagedStore),
    ("<database><object/></database>", .damagedStore),
    ("<database><object type='A' id=''/></database>", .damagedStore),
    ("<database><object type='A' id='z1'><attribute/></object></database>", .damagedStore),
    ("<database><object type='A' id='z1'><x name='a'/></object></database>", .damagedStore),
    (
      "<database><object type='A' id='z1'/><object type='A' id='z1'/></database>", .damagedStore
    ),
    (
      "<database><object type='A' id='z1'><attribute name='a'/><attribute name='a'/></object></database>",
      .damagedStore
    ),
    (
      "<database><object type='A' id='z1'><relationship name='a' idrefs='z2'/></object></database>",
      .damagedStore
    ),
    (
      "<database><databaseInfo><metadata><plist><dict></metadata></databaseInfo></database>",
      .damagedStore
    ),
    ("<!DOCTYPE database [<!ENTITY a 'a'>]><database>&a;</database>", .damagedStore),
    (
      "<database><object type='A' id='z1'><attribute name='a'><![CDATA[<!DOCTYPE b>]]></attribute></object></database>",
      .damagedStore
    ),
    ("<?xml version='1.0' encoding='UTF-16'?><database></database>", .damagedStore),
    ("<database>text</database>", .damagedStore),
    ("<database><databaseInfo><UUID>../x</UUID></databaseInfo></database>", .damagedStore),
    ("<database><objects><object type='A' id='z1'/></objects></database>", .damagedStore),
    ("<database><object type='A' id='z1'>text</object></database>", .damagedStore),
    (
      "<database><object type='A' id='z1'><attribute name='a'>b<b>c</b></attribute></object></database>",
      .damagedStore
    ),
    (
      "<database><object type='A' id='z1'><relationship name='a'>z1</relationship></object></database>",
      .damagedStore
    ),
  ]

  /// What is in no attribute is named with its object and its line.
  @Test func whatWouldBeDroppedIsNamed() {
    let error = #expect(throws: CofferError.self) {
      try XMLStoreReader.parse(
        XMLStoreSample.store(
          "<object type='A' id='z7'>\n<attribute name='a'><b/></attribute></object>"))
    }
    #expect(error?.place.item == "z7.a (line 20)")
    #expect(error?.detail == "an element b in a property")
  }

  /// What Foundation's parsers accept, and what an error says instead.
  @Test(arguments: [
    (
      "<string>dark", "<string>da\u{1}rk", "line 14",
      "a control character (U+0001), which XML cannot hold"
    ),
    ("<?xml ", "<?xml\u{1F}", "line 1", "a control character (U+001F), which XML cannot hold"),
    ("<string>dark</string>", "<data>AQ=I</data>", "metadata (line 14)", "data that is not base64"),
    (
      "<string>dark</string>", "<array><data>A</data></array>", "metadata (line 14)",
      "data that is not base64"
    ),
    (
      "<string>dark</string>", "<string>dark</string>\n<key>theme</key><true/>",
      "metadata (line 15)", "two values of the key theme"
    ),
  ])
  func valuesThatCannotBeMeantAreNamed(
    _ old: String, _ new: String, _ place: String, _ detail: String
  ) {
    let text = XMLStoreSample.text.replacing(old, with: new, maxReplacements: 1)
    #expect(ForeignFile(Array(text.utf8)) == .xmlStore)
    let error = #expect(throws: CofferError.self) { try XMLStoreReader.parse(Array(text.utf8)) }
    #expect(error?.code == .damagedStore)
    #expect(error?.place.item == place)
    #expect(error?.detail == detail)
  }

  /// The same key in two dictionaries, and white space in base64, are exact.
  @Test func metadataMayBeNested() throws {
    let text = XMLStoreSample.text.replacing(
      "<string>dark</string>", with: "<dict><key>theme</key><data>\n  AQI\n  D\n</data></dict>")
    let store = try XMLStoreReader.parse(Array(text.utf8))
    let theme = store.metadata.first { $0.key == "theme" }?.value
    #expect(theme?["theme"] == .data([1, 2, 3]))
  }

  /// A section of character data is text, whatever is around it.
  @Test func characterDataIsText() throws {
    let store = try XMLStoreReader.parse(
      XMLStoreSample.store(
        "<object type='A' id='z1'><attribute name='a'>x<![CDATA[<y> &amp;]]>z</attribute></object>")
    )
    #expect(store.objects.first?.text("a") == "x<y> &amp;z")
  }

  /// A file in UTF-16 is named, and is an XML store for every command.
  @Test(arguments: [true, false])
  func utf16IsNamed(_ isLittle: Bool) {
    var bytes: [UInt8] = isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]
    for unit in XMLStoreSample.text.utf16 {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      bytes += isLittle ? [low, high] : [high, low]
    }
    #expect(ForeignFile(bytes) == .xmlStore)
    let error = #expect(throws: CofferError.self) { try XMLStoreReader.parse(bytes) }
    #expect(error?.detail == "XML in UTF-16, and only UTF-8 is read")
  }

  @Test(arguments: wrong)
  func whatContradictsTheFormatIsRefused(_ file: (text: String, code: CofferError.Code)) {
    let error = #expect(throws: CofferError.self) {
      try XMLStoreReader.parse(Array(file.text.utf8))
    }
    #expect(error?.code == file.code, "\(file.text): \(error.map { "\($0)" } ?? "")")
  }

  @Test func entitiesThatMultiplyAreNeverExpanded() {
    var text = "<?xml version='1.0'?><!DOCTYPE database [<!ENTITY a0 'ha'>"
    for level in 1...30 {
      text += "<!ENTITY a\(level) '&a\(level - 1);&a\(level - 1);'>"
    }
    text += "]><database>&a30;</database>"
    let error = #expect(throws: CofferError.self) { try XMLStoreReader.parse(Array(text.utf8)) }
    #expect(error?.detail.contains("entities") == true)
  }

  /// A second declaration behind the first is not read over.
  @Test func onlyOneDeclarationIsReadOver() {
    let text = "<!DOCTYPE database SYSTEM 'a'><!DOCTYPE database [<!ENTITY a 'a'>]><database/>"
    #expect(throws: CofferError.self) { try XMLStoreReader.parse(Array(text.utf8)) }
  }

  @Test func nestingIsBounded() {
    let text =
      "<database>" + String(repeating: "<a>", count: 100_000)
      + String(repeating: "</a>", count: 100_000) + "</database>"
    let error = #expect(throws: CofferError.self) { try XMLStoreReader.parse(Array(text.utf8)) }
    #expect(error?.code == .refused)
  }

  @Test(arguments: [
    ("<database a='", "'></database>", "a tag of more than 9 MiB"),
    (
      "<database><object type='A' id='z1'><attribute name='a'>",
      "</attribute></object></database>", "a text of more than 9 MiB"
    ),
  ])
  func aPartIsBounded(_ start: String, _ end: String, _ detail: String) throws {
    func file(_ count: Int) -> [UInt8] {
      Array(start.utf8) + [UInt8](repeating: 0x61, count: count) + Array(end.utf8)
    }
    let error = #expect(throws: CofferError.self) { try XMLStoreReader.parse(file((9 << 20) + 1)) }
    #expect(error?.code == .refused)
    #expect(error?.detail == detail)
    // Whatever is not refused for its size is read.
    _ = try XMLStoreReader.parse(file((9 << 20) - 100))
  }

  /// Whatever the bytes are, the reader returns or throws an error of its own.
  @Test func noChangeOfTheBytesCrashes() throws {
    var random = SeededGenerator(seed: 39)
    let whole = Array(XMLStoreSample.text.utf8)
    var refused = 0
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<(1 + random.below(4)) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: "<>&'\"/z[]".utf8.prefix(random.below(9)), at: place)
        }
      }
      do throws(CofferError) { _ = try XMLStoreReader.parse(bytes) } catch { refused += 1 }
    }
    #expect(refused > 20)
  }
}
