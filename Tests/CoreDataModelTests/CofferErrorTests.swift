internal import CoreDataModel
internal import Testing

@Suite struct CofferErrorTests {
  @Test func thePlaceIsThePartsThatAreKnown() {
    let error = CofferError(
      .damagedArchive, path: "Trips.coffer.tar.gz", entry: "index.json", offset: 512,
      detail: "it is no list")
    #expect(
      error.description
        == "Trips.coffer.tar.gz, entry index.json, byte 512: damaged archive: it is no list")
    #expect(CofferError(.storeBusy).description == "the store is busy")
  }

  @Test func namesOfPlacesHoldNoControlCharacters() {
    #expect(CofferError(.notFound, path: "a\u{1B}[2Jb").place.description == "a?[2Jb")
  }

  @Test func whatIsWithinSomethingIsNamedAfterIt() {
    let error = CofferError(.damagedModel, detail: "no type").within("name").within("Person")
    #expect(error.located(at: "M.mom").place.description == "M.mom, Person.name")
  }

  @Test func hintsAreAllStepsInTheirOrder() {
    var error = CofferError(.truncatedArchive, advice: "Make it again.")
    error.advice.append(.salvageArchive)
    #expect(error.hint == "Make it again. Salvage the archive to restore its intact parts.")
    #expect(CofferError(.storeBusy).hint == nil)
  }

  @Test func errorsWithOtherEvidenceDiffer() {
    let error = CofferError(.sqliteError, evidence: Int32(19))
    #expect(error == CofferError(.sqliteError, evidence: Int32(19)))
    #expect(error != CofferError(.sqliteError, evidence: Int32(5)))
    #expect(error != CofferError(.sqliteError, evidence: "19"))
    #expect(error != CofferError(.sqliteError))
    #expect(CofferError(.sqliteError) != error)
  }
}
