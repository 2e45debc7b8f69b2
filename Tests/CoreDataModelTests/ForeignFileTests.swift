internal import CoreDataModel
import Testing

/// Files that people give in place of a store, an archive or a model.
@Suite struct ForeignFileTests {
  private static let xmlStore = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes" ?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
    """

  private static let kinds: [([UInt8], ForeignFile)] = [
    (Array("SQLite format 3\0".utf8), ForeignFile.database),
    ([0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18], .writeAheadLog),
    ([0x37, 0x7F, 0x06, 0x83, 0, 0x2D, 0xE2, 0x18], .writeAheadLog),
    ([0x18, 0xE2, 0x2D, 0, 0, 0, 0, 0, 5], .sharedMemory),
    ([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], .rollbackJournal),
    (Array("CoreData\0\0\0\u{1}\u{8}\u{4}\u{8}\0".utf8), .binaryStore),
    (Array(xmlStore.utf8), .xmlStore), (Array("PK\u{3}\u{4}\u{14}\0".utf8), .zip),
    ([UInt8](repeating: 0x61, count: 257) + Array("ustar\0".utf8), .tar),
    (Array("bplist00\0".utf8), .propertyList),
    (Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">".utf8), .propertyList),
    (Array("<?xml version=\"1.0\"?>\n<svg>".utf8), .xml),
    (Array("id,name\n1,Ärger\n".utf8), .text), (Array("{\"a\": 1}".utf8), .text),
  ]

  private static let unknown: [[UInt8]] = [
    [], [0x80, 0x81], [0x41, 0], Array("CoreData in Swift\u{1}".utf8),
  ]

  @Test(arguments: kinds)
  func commonKindsAreRecognized(_ bytes: [UInt8], _ kind: ForeignFile) {
    #expect(ForeignFile(bytes) == kind)
  }

  @Test(arguments: unknown)
  func whatIsUnknownIsNotGuessed(_ bytes: [UInt8]) {
    #expect(ForeignFile(bytes) == nil)
  }

  @Test func aCharacterThatIsCutIsStillText() {
    let bytes = Array(String(repeating: "a", count: 511).utf8) + Array("é".utf8)
    #expect(ForeignFile(bytes) == .text)
  }

  @Test func companionsNameTheirStore() {
    #expect(
      ForeignFile.writeAheadLog.advice(at: "Trips.sqlite-wal")
        == "Give the store itself: Trips.sqlite")
    #expect(
      ForeignFile.sharedMemory.advice(at: "copy") == "Give the store itself.")
  }
}
