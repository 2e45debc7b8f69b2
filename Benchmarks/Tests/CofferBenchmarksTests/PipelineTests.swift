internal import Foundation
internal import Testing

@testable internal import CofferBenchmarks

@Suite struct PipelineTests {
  private let folder: String
  private var log: String { "\(folder)/log" }

  init() throws {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("coffer-pipeline-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test func bytesGoFromStepToStep() throws {
    defer { FileTools.remove(folder) }
    let output = "\(folder)/output"
    let command = Command.writing(
      "pipe", [["printf", "b\\na\\n"], ["sort"], ["cat"]], to: output)
    let measurement = try Pipeline(command: command, log: log).run()
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "a\nb\n")
    #expect(measurement.size == 4)
    #expect(measurement.memory > 0)
    #expect(measurement.wall > 0)
  }

  @Test func theProcessorTimeOfEveryStepCounts() throws {
    defer { FileTools.remove(folder) }
    let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
    func processor(_ steps: [[String]]) throws -> Double {
      try Pipeline(command: Command(name: "work", steps: steps), log: log).run().processor
    }
    #expect(try processor([["sh", "-c", work], ["sh", "-c", work]]) > 0)
    #expect(try processor([["sh", "-c", work], ["cat"]]) > 0)
  }

  @Test func aFailureOfAnyStepIsTold() throws {
    defer { FileTools.remove(folder) }
    let failing = [["sh", "-c", "echo broken >&2; exit 7"], ["cat"]]
    var command = Command(name: "fail", steps: failing)
    let error = #expect(throws: BenchmarkError.self) {
      try Pipeline(command: command, log: log).run()
    }
    #expect(error?.description.contains("status 7\nbroken") == true)
    command.statuses = [0, 7]
    _ = try Pipeline(command: command, log: log).run()
    command = Command(name: "killed", steps: [["sh", "-c", "kill -9 $$"]], statuses: [137])
    _ = try Pipeline(command: command, log: log).run()
  }

  @Test func aProgramThatIsNotThereIsTold() {
    defer { FileTools.remove(folder) }
    let command = Command(name: "none", steps: [["coffer-benchmarks-no-such-program"]])
    #expect(throws: BenchmarkError.self) { try Pipeline(command: command, log: log).run() }
  }

  @Test func aStoreGoesWithAllThatBelongsToIt() throws {
    defer { FileTools.remove(folder) }
    let support = "\(folder)/.Store_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    for path in ["\(folder)/Store.sqlite", "\(folder)/Store.sqlite-wal", "\(support)/x"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    }
    try FileTools.copyStore("\(folder)/Store.sqlite", to: "\(folder)/Copy.sqlite")
    func names() throws -> Set<String> {
      try Set(FileManager.default.contentsOfDirectory(atPath: folder))
    }
    let copied: Set = ["Copy.sqlite", "Copy.sqlite-wal", ".Copy_SUPPORT"]
    #expect(try names().isSuperset(of: copied))
    FileTools.remove("\(folder)/Copy.sqlite")
    #expect(try names().isDisjoint(with: copied))
  }
}
