internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Sources that hold the same are found to be equal.
@Suite struct EqualSourcesTests {
  @Test func sampleItsArchiveAndItsRestoredCopyAreEqual() throws {
    let samples = try SampleSources()
    let archive = try samples.archive(of: samples.sample)
    let restored = try samples.restored(archive)
    let again = try samples.archive(of: restored)
    let sources = [samples.sample, archive, restored, again]
    for first in sources {
      for second in sources {
        let found = try differences(first, second)
        #expect(found.texts == [], "\(first) \(second)")
        #expect(found.summary.isEqual)
        #expect(found.summary.firstObjectCount == found.summary.secondObjectCount)
        #expect(found.summary.firstObjectCount == 37)
      }
    }
  }

  @Test func progressGoesUpToTheNumberOfObjects() throws {
    let samples = try SampleSources()
    let recorder = ProgressRecorder()
    let copy = try samples.copy()
    try StoreComparison(progress: recorder).compare(samples.sample, copy)
    let objects = recorder.reports.filter { $0.phase == .objects }
    #expect(objects.last?.completed == 37)
    #expect(zip(objects, objects.dropFirst()).allSatisfy { $0.completed <= $1.completed })
  }

  @Test func errorOfTheCallerEndsTheComparison() throws {
    struct Stop: Error {}
    let samples = try SampleSources()
    let changed = try samples.copy(changing: ["DELETE FROM ZTAGENTITY"])
    var count = 0
    #expect(throws: Stop.self) {
      try StoreComparison().compare(samples.sample, changed) { _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
  }

  @Test func missingSourceIsNotFound() throws {
    let samples = try SampleSources()
    let error = #expect(throws: CofferError.self) {
      try StoreComparison().compare(samples.sample, samples.directory.file("none"))
    }
    #expect(error?.code == .notFound)
  }
}
