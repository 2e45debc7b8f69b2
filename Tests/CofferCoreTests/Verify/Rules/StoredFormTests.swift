internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// What the values of each attribute type may be.
@Suite struct StoredFormTests {
  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .string, .uri,
    .uuid, .binary, .transformable,
  ]

  @Test(arguments: [
    (AttributeType.integer16, Int64(Int16.min), Int64(Int16.max)),
    (.integer32, Int64(Int32.min), Int64(Int32.max)),
  ]) func integersBeyondTheirWidthAreOutOfRange(_ type: AttributeType, _ low: Int64, _ high: Int64)
    throws
  {
    for value in [low, low + 1, -1, 0, 1, high - 1, high] {
      #expect(try defect(.integer(value), type) == nil, "\(value)")
    }
    for value in [.min, low - 1, high + 1, .max] {
      #expect(try defect(.integer(value), type) == .range, "\(value)")
    }
  }

  @Test func everyIntegerFits64Bits() throws {
    for value in [Int64.min, -1, 0, .max] {
      #expect(try defect(.integer(value), .integer64) == nil)
    }
  }

  @Test func booleansAre0Or1() throws {
    #expect(try defect(0, .boolean) == nil)
    #expect(try defect(1, .boolean) == nil)
    for value in [Int64.min, -1, 2, .max] {
      #expect(try defect(.integer(value), .boolean) == .boolean)
    }
  }

  @Test func aUUIDHas16Bytes() throws {
    for count in 0...40 {
      let defect = try defect(.blob([UInt8](repeating: 7, count: count)), .uuid)
      #expect(defect == (count == 16 ? nil : .uuid))
    }
  }

  @Test func textsAreUTF8() throws {
    #expect(try defect("größe 🥛", .string) == nil)
    #expect(try defect(.text([]), .uri) == nil)
    #expect(try defect(.text([0x61, 0xFF]), .string) == .text)
    #expect(try defect(.text([0xED, 0xA0, 0x80]), .uri) == .text)
  }

  /// Each storage class with the types that take it; store-format, section 6.
  @Test(
    arguments: [
      (
        StoreValue.integer(1),
        [.integer16, .integer32, .integer64, .boolean, .double, .float] as Set
      ),
      (.real(0.5), [.double, .float]),
      ("1", [.string, .uri]),
      (.blob([UInt8](repeating: 1, count: 16)), [.uuid, .binary, .transformable]),
    ] as [(StoreValue, Set<AttributeType>)])
  func otherStorageClassesAreWrong(_ value: StoreValue, _ allowed: Set<AttributeType>) throws {
    for type in Self.types {
      let isNumber = type == .decimal || type == .date
      let fits = isNumber ? [.integer(1), .real(0.5)].contains(value) : allowed.contains(type)
      #expect(try defect(value, type) == (fits ? nil : .storageClass), "\(type.name)")
    }
  }

  @Test func whatIsNotThereIsNotWrong() throws {
    for type in Self.types { #expect(try defect(.null, type) == nil) }
  }

  @Test func infinityIsANumber() throws {
    for type in [AttributeType.double, .float, .decimal] {
      #expect(try defect(.real(.infinity), type) == nil)
    }
  }

  @Test func infinityIsNoDate() throws {
    for value in [Double.infinity, -.infinity] {
      #expect(try defect(.real(value), .date) == .infinity)
    }
    #expect(try defect(.real(.greatestFiniteMagnitude), .date) == nil)
  }

  @Test func nothingIsSaidOfUnknownTypes() {
    #expect(StoredForm(.undefined) == nil)
    #expect(StoredForm(.objectID) == nil)
    #expect(StoredForm(AttributeType(rawValue: 4711)) == nil)
  }

  @Test func aTextThatIsNotBorrowedPasses() throws {
    let form = try #require(StoredForm(.string))
    let cells = Row(columnCount: 1)
    cells.setLarge(0, size: 5 << 20, firstByte: 0, isText: true)
    #expect(form.defect(of: cells, 0) == nil)
    cells.setLarge(0, size: 5 << 20, firstByte: 0)
    #expect(form.defect(of: cells, 0) == .storageClass)
  }

  private func defect(_ value: StoreValue, _ type: AttributeType) throws -> StoredForm.Defect? {
    let form = try #require(StoredForm(type))
    return Row.with([value]) { form.defect(of: $0, 0) }
  }
}
