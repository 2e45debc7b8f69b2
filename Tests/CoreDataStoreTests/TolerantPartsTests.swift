internal import Testing

@testable internal import CoreDataStore

/// A part that is replaced because of damage is told of.
struct TolerantPartsTests {
  @Test
  func aDamagedPartIsReplacedAndNoted() throws {
    var parts = TolerantParts(isTolerant: true)
    let value = try parts.read("the model", or: 7) { () throws(StoreError) in
      throw StoreError(.damaged, detail: "a page is gone")
    }
    #expect(value == 7)
    #expect(parts.unreadable == ["the model cannot be read: a page is gone"])
  }

  @Test
  func aMissingTableIsReplacedWithoutANote() throws {
    var parts = TolerantParts(isTolerant: true)
    let value = try parts.read("the model", or: 7) { () throws(StoreError) in
      throw StoreError(.notCoreData)
    }
    #expect(value == 7)
    #expect(parts.unreadable == [])
  }

  @Test(arguments: [StoreError.Code.busy, .notReadable, .sqlite])
  func whatIsNoDamageIsAnError(_ code: StoreError.Code) {
    var parts = TolerantParts(isTolerant: true)
    #expect(throws: StoreError(code)) {
      try parts.read("the model", or: 7) { () throws(StoreError) in throw StoreError(code) }
    }
  }

  @Test
  func nothingIsReplacedWhereNothingIsTolerated() {
    var parts = TolerantParts(isTolerant: false)
    #expect(throws: StoreError(.damaged)) {
      try parts.read("the model", or: 7) { () throws(StoreError) in throw StoreError(.damaged) }
    }
    #expect(parts.unreadable == [])
  }
}
