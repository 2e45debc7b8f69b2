internal import CoreDataModel
internal import Testing

@testable internal import CoreDataStore

/// A part that is replaced because of damage is reported.
struct TolerantPartsTests {
  @Test
  func aDamagedPartIsReplacedAndNoted() throws {
    var parts = TolerantParts(isTolerant: true)
    let value = try parts.read("the model", or: 7) { () throws(CofferError) in
      throw CofferError(.damagedStore, detail: "a page is gone")
    }
    #expect(value == 7)
    #expect(parts.unreadable == ["the model cannot be read: a page is gone"])
  }

  @Test
  func aMissingTableIsReplacedWithoutANote() throws {
    var parts = TolerantParts(isTolerant: true)
    let value = try parts.read("the model", or: 7) { () throws(CofferError) in
      throw CofferError(.notCoreData)
    }
    #expect(value == 7)
    #expect(parts.unreadable == [])
  }

  @Test(arguments: [CofferError.Code.storeBusy, .readFailed, .sqliteError])
  func whatIsNoDamageIsAnError(_ code: CofferError.Code) {
    var parts = TolerantParts(isTolerant: true)
    #expect(throws: CofferError(code)) {
      try parts.read("the model", or: 7) { () throws(CofferError) in throw CofferError(code) }
    }
  }

  @Test
  func nothingIsReplacedWhereNothingIsTolerated() {
    var parts = TolerantParts(isTolerant: false)
    #expect(throws: CofferError(.damagedStore)) {
      try parts.read("the model", or: 7) { () throws(CofferError) in
        throw CofferError(.damagedStore)
      }
    }
    #expect(parts.unreadable == [])
  }
}
