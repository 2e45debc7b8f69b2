internal import Testing

@testable internal import CofferBenchmarks

@Suite struct TableTests {
  private let table = Table(header: ["what", "n"], rows: [["a | b", "1"], ["ünï", "100"]])

  @Test func columnsAreAligned() {
    #expect(table.text == "what     n\n-----  ---\na | b    1\nünï    100")
  }

  @Test func markdownKeepsBarsOfCells() {
    #expect(
      table.markdown == "| what | n |\n| --- | ---: |\n| a \\| b | 1 |\n| ünï | 100 |")
  }

  @Test func thousandsAreGrouped() {
    #expect(
      [0, 999, 1000, 5_200_000, -1234].map(\.grouped) == [
        "0", "999", "1,000", "5,200,000", "-1,234",
      ])
  }
}
