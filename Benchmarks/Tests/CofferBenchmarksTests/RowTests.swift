internal import Testing

@testable internal import CofferBenchmarks

@Suite struct RowTests {
  @Test func aGoalIsMetAtItsBound() {
    #expect(Goal.atLeast(3).isMet(by: 3))
    #expect(!Goal.atLeast(3).isMet(by: 2.999))
    #expect(Goal.atMost(0.5).isMet(by: 0.5))
    #expect(!Goal.atMost(0.5).isMet(by: 0.501))
  }

  @Test func theMedianDecides() {
    let row = Row("export", .atLeast(3), .timesFaster, [2.5, 3.5, 3.25])
    #expect(row.cells == ["export", "≥ 3.00× faster", "3.25× faster", "2.50–3.50, n=3", "met"])
  }

  @Test func percentAndBytesAreShownInTheirUnits() {
    #expect(
      Row("size", .atMost(0.98), .percent, [1.014]).cells
        == ["size", "≤ 98.0 %", "101.4 %", "101.4–101.4, n=1", "not met"])
    #expect(
      Row("memory", .atMost(64 * 1_048_576), .mebibytes, [56 * 1_048_576]).cells[1...4]
        == ["≤ 64.0 MiB", "56.0 MiB", "56.0–56.0, n=1", "met"])
  }

  @Test func aRowWithoutValuesSaysSo() {
    #expect(Row("time", .atMost(5.7), .times, []).cells[2] == "not measured")
    #expect(
      Row("start", nil, .milliseconds, [0.0125]).cells[1...] == [
        "–", "12.5 ms", "12.5–12.5, n=1", "–",
      ])
  }

  @Test(arguments: SuiteName.allCases) func everySuiteNamesItsRowsBeforeItRuns(_ name: SuiteName) {
    let rows = CofferBenchmarks.suite(name, Options()).rows(Samples())
    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { $0.values.isEmpty })
  }
}
