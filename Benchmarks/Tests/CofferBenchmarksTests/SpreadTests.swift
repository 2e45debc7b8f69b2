internal import Testing

@testable internal import CofferBenchmarks

@Suite struct SpreadTests {
  @Test func theMedianOfAnOddNumberIsTheMiddleOne() throws {
    let spread = try #require(Spread([5, 1, 3]))
    #expect(spread.median == 3)
    #expect(spread.least == 1)
    #expect(spread.greatest == 5)
  }

  @Test func theMedianOfAnEvenNumberLiesBetweenTheMiddleOnes() {
    #expect(Spread([4, 1, 2, 100])?.median == 3)
  }

  @Test func nothingHasNoSpread() {
    #expect(Spread([]) == nil)
  }

  @Test func ratiosAreThoseOfOneRound() {
    var samples = Samples()
    for (a, b) in [(2.0, 1.0), (9.0, 3.0)] {
      samples.add(Measurement(wall: a, processor: 0, memory: 0, size: 0), to: "a")
      samples.add(Measurement(wall: b, processor: 0, memory: 0, size: 0), to: "b")
    }
    #expect(samples.ratios(.wall, "a", to: "b") == [2, 3])
    #expect(samples.ratios(.wall, "a", to: "c").isEmpty)
    #expect(samples.names == ["a", "b"])
  }
}
