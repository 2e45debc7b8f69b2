internal import Foundation
internal import Testing

@testable internal import CofferCore

/// What bytes turn out to be.
@Suite struct ShownContentTests {
  private static func content(_ bytes: [UInt8]) -> ShownContent? {
    unsafe bytes.withUnsafeBytes { unsafe ShownContent($0) }
  }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 2, 0x80, 0, 0, 1, 0xE0]
  /// A comment, a table, and a frame of 3 by 258 pixels.
  private static let jpeg: [UInt8] = [
    0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 8, 8, 1, 2, 0, 3,
    1,
  ]

  @Test(
    arguments: [
      (png, .png, "640 480"), (jpeg, .jpeg, "3 258"),
      (Array("GIF89a".utf8) + [5, 0, 0, 1], .gif, "5 256"),
      (Array("RIFF1234WEBPVP8 ".utf8), .webp, nil),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), .heic, nil),
      ([0, 0, 0, 24] + Array("ftypavif".utf8), .avif, nil), ([0x49, 0x49, 0x2A, 0, 1], .tiff, nil),
      (Array("%PDF-1.7".utf8), .pdf, nil), (Array(" {\"a\": [1]}".utf8), .json, nil),
      ([UInt8](0..<16), .uuid, nil),
    ] as [([UInt8], ShownContent.Kind, String?)])
  func contentIsKnownByItsBytes(_ bytes: [UInt8], _ kind: ShownContent.Kind, _ size: String?) throws
  {
    let found = try #require(Self.content(bytes))
    #expect(found.kind == kind && found.count == bytes.count)
    #expect(found.size.map { "\($0.width) \($0.height)" } == size)
    #expect((found.text != nil) == (kind == .json || kind == .uuid))
    // Cut off anywhere, it is something else or has no size.
    for count in 0..<bytes.count { _ = Self.content(Array(bytes.prefix(count))) }
  }

  @Test(
    arguments: [
      [], [1], [UInt8](0..<17), Array("{\"a\": ".utf8), Array("text".utf8), Array("\"json\"".utf8),
      [0, 0, 0, 24] + Array("ftypisom".utf8),
    ] as [[UInt8]])
  func otherBytesAreOfNoKind(_ bytes: [UInt8]) { #expect(Self.content(bytes) == nil) }

  @Test func everyCutOfAnImageIsRead() {
    #expect(Self.content(Array(Self.png.prefix(23)))?.size == nil)
    #expect(Self.content(Array(Self.jpeg.prefix(22)))?.size == nil)
  }
}
