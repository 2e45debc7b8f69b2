internal import Testing

@testable internal import CofferBenchmarks

@Suite struct OptionsTests {
  @Test func withoutArgumentsEverythingIsMeasured() throws {
    let options = try Options([])
    #expect(options == Options())
    #expect(options.chosenSuites == SuiteName.allCases)
    #expect(options.mainObjects == 1_000_000)
    #expect(options.pairs == 5)
  }

  @Test func quickLeavesTheLargestStoreOut() throws {
    let options = try Options(["--quick"])
    #expect(options.chosenSuites == SuiteName.allCases.filter { $0 != .large })
    #expect(options.mainObjects == 100_000)
    #expect(try Options(["--quick", "--only", "large"]).chosenSuites == [.large])
    #expect(try Options(["--quick", "--objects", "500"]).mainObjects == 500)
  }

  @Test(arguments: [["--pairs"], ["--pairs", "0"], ["--only", "x"], ["--objects", "1"], ["x"]])
  func whatIsNotUnderstoodIsRefused(_ arguments: [String]) {
    #expect(throws: BenchmarkError.self) { try Options(arguments) }
  }
}
