internal import CoreDataModel

/// Keyed archives made by hand.
enum ArchiveFixture {
  /// An archive of an object list with the root at position 1, unless told otherwise.
  static func archive(objects: [PropertyListValue], root: UInt64 = 1) -> [UInt8] {
    BinaryPlistWriter.write(
      .dictionary([
        .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary([.init("root", .uid(root))])),
        .init("$objects", .array(objects)),
      ]))
  }

  /// An object of the class whose description stands at a position.
  static func object(
    _ classPosition: UInt64, _ fields: [(String, PropertyListValue)]
  ) -> PropertyListValue {
    .dictionary(
      fields.map { .init($0.0, $0.1) } + [.init("$class", .uid(classPosition))])
  }

  /// The description of a class.
  static func describedClass(_ names: String...) -> PropertyListValue {
    .dictionary([
      .init("$classname", .string(names[0])), .init("$classes", .array(names.map { .string($0) })),
    ])
  }

  /// The bytes of a binary property list of objects that are given as bytes; the first is the top.
  static func plist(
    _ objects: [[UInt8]], referenceWidth: UInt8 = 2, count: UInt64? = nil
  ) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    return bytes + table(offsets, referenceWidth: referenceWidth, at: bytes.count, count: count)
  }

  /// An offset table and trailer.
  static func table(
    _ offsets: [Int], referenceWidth: UInt8, at position: Int, count: UInt64? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for offset in offsets { bytes += bigEndian(UInt64(offset)) }
    bytes += [0, 0, 0, 0, 0, 0, 8, referenceWidth]
    bytes += bigEndian(count ?? UInt64(offsets.count)) + bigEndian(0) + bigEndian(UInt64(position))
    return bytes
  }

  /// A number in 8 bytes.
  static func bigEndian(_ number: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
  }
}
