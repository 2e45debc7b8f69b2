internal import Foundation
internal import TestSupport
internal import Testing

/// Values of attributes as files.
@Suite struct ValueExtractionTests {
  private static let external = ".Todo_SUPPORT/_EXTERNAL_DATA/0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"

  @Test func aValueIsWrittenAsItIsStored() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      show() { coffer show "$1" "$2" --attribute content --output "$3" $4; }
      show Todo.sqlite AttachmentEntity/p1 a.bin; show Todo.sqlite AttachmentEntity/p4 b.bin
      show Todo.sqlite AttachmentEntity/p2 c.bin --json
      coffer export -q Todo.sqlite t.tgz
      show t.tgz AttachmentEntity/p4 - | cmp - b.bin && show t.tgz AttachmentEntity/p1 - | cmp - a.bin
      coffer show Todo.sqlite TodoEntity/p1 --attribute extra --output extra.plist
      sqlite3 Todo.sqlite "SELECT hex(ZEXTRA) FROM ZITEMENTITY WHERE Z_PK = 1;
        SELECT hex(substr(ZCONTENT, 2)) FROM ZATTACHMENTENTITY WHERE Z_PK = 1"
      """)
    let lines = result.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 6, "\(result.output) \(result.errorOutput)")
    #expect(lines[0] == "Wrote 300 bytes to a.bin" && lines[1] == "Wrote 20.0 kB to b.bin")
    #expect(lines[2].contains(#""file":"c.bin","values":1,"bytes":0,"missingFiles":0"#))
    func hex(_ name: String) -> String? {
      sandbox.bytes(name)?.map { String(format: "%02X", $0) }.joined()
    }
    #expect(hex("extra.plist") == lines[4] && hex("a.bin") == lines[5])
    #expect(sandbox.bytes("b.bin") == sandbox.bytes(Self.external))
    #expect(sandbox.bytes("c.bin") == Data())
  }

  @Test func allValuesGoToAFolder() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      png=89504e470d0a1a0a0000000d4948445200000002000000030802000000
      sqlite3 Todo.sqlite "UPDATE ZATTACHMENTENTITY SET ZCONTENT = x'01$png' WHERE Z_PK = 1;
        UPDATE ZATTACHMENTENTITY SET ZCHECKSUM = zeroblob(3000000) WHERE Z_PK = 2;
        UPDATE ZATTACHMENTENTITY SET ZCHECKSUM = CAST('{\\"a\\": 1}' AS BLOB) WHERE Z_PK = 3"
      coffer show Todo.sqlite AttachmentEntity --output-folder All; ls All
      coffer export -q Todo.sqlite t.tgz
      coffer show t.tgz AttachmentEntity --output-folder Same -q && diff -r All Same && echo same
      wc -c < All/AttachmentEntity-p2.checksum.bin
      coffer show Todo.sqlite AttachmentEntity --output-folder All 2> /dev/null; echo $?
      coffer show Todo.sqlite AttachmentEntity --where 'size > 0' --attribute fileName \\
        --output-folder All --force --raw --limit 2
      ls All
      """)
    let expected = """
      AttachmentEntity-p1.checksum.bin
      AttachmentEntity-p1.content.png
      AttachmentEntity-p2.checksum.bin
      AttachmentEntity-p2.content.bin
      AttachmentEntity-p3.checksum.json
      AttachmentEntity-p4.checksum.bin
      AttachmentEntity-p4.content.bin
      AttachmentEntity-p5.checksum.bin
      AttachmentEntity-p5.content.bin
      same
      3000000
      14
      """
    #expect(result.output.contains("\n\(expected)\n"), "\(result.output) \(result.errorOutput)")
    #expect(result.output.hasSuffix(".fileName.bin\n"), "\(result.output)")
    #expect(try sandbox.added() == ["All", "Same", "t.tgz"])
  }

  @Test func aMissingFileIsSaid() throws {
    let sandbox = try Sandbox()
    try FileManager.default.removeItem(atPath: sandbox.file(Self.external))
    let one = try sandbox.coffer(
      "show", "Todo.sqlite", "AttachmentEntity/p4", "--attribute", "content", "--output", "x")
    #expect(one.status == 10 && one.errorOutput.contains("missing from the support folder"))
    #expect(try sandbox.added() == [])
    let all = try sandbox.coffer(
      "show", "Todo.sqlite", "AttachmentEntity", "--output-folder", "All")
    #expect(all.status == 3)
    #expect(all.errorOutput.contains("1 file of external binary data is missing"))
    #expect(sandbox.bytes("All/AttachmentEntity-p5.content.bin")?.count == 3)
    #expect(sandbox.bytes("All/AttachmentEntity-p4.content.bin") == nil)
  }

  @Test(
    arguments: [
      (["AttachmentEntity/p3", "--attribute", "content", "--output", "x"], 64, "nothing to write"),
      (["AttachmentEntity/p1", "--attribute", "size", "--output", "x"], 64, "no bytes to write"),
      (["AttachmentEntity/p1", "--attribute", "contnt", "--output", "x"], 64, "'content'?"),
      (["AttachmentEntity/p1", "--attribute", "item", "--output", "x"], 64, "a relationship"),
      (["AttachmentEntity/p99", "--attribute", "content", "--output", "x"], 10, "no such object"),
      (["AttachmentEntity", "--attribute", "content", "--output", "x"], 64, "one object"),
      (["AttachmentEntity/p1", "--output", "x"], 64, "requires '--attribute"),
      (["AttachmentEntity/p1", "--attribute", "content"], 64, "requires '--output"),
      (["AttachmentEntity", "--output-folder", "x", "--count"], 64, "cannot be combined"),
      (["AttachmentEntity", "--force"], 64, "requires '--output'"),
      (
        ["AttachmentEntity/p1", "--attribute", "content", "--output", "Todo.sqlite", "--force"], 15,
        "replace the input"
      ),
    ] as [([String], Int32, String)])
  func whatCannotBeWrittenLeavesNothing(
    _ arguments: [String], _ status: Int32, _ text: String
  ) throws {
    let sandbox = try Sandbox()
    let before = sandbox.bytes("Todo.sqlite")
    let result = try sandbox.run(["show", "Todo.sqlite"] + arguments)
    #expect(result.status == status && result.errorOutput.contains(text), "\(result.errorOutput)")
    #expect(try sandbox.added() == [])
    #expect(sandbox.bytes("Todo.sqlite") == before)
  }
}
