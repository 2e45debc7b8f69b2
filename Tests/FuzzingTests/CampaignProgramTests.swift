internal import Foundation
internal import TestSupport
internal import Testing

/// The program `coffer-fuzz` finds the planted defect, and a finding can be repeated.
@Suite struct CampaignProgramTests {
  private let program: ProcessRunner
  private let folder: TemporaryDirectory

  init() throws {
    program = ProcessRunner(try BuiltProgram.path(of: "coffer-fuzz"))
    folder = try TemporaryDirectory()
  }

  @Test func everyKindOfFindingIsFoundAndSaved() throws {
    let findings = folder.file("findings")
    let result = try program.run([
      "self-test", "--runs", "5", "--hang", "1", "--findings", findings,
    ])
    #expect(result.status == 1, "\(result.output)\(result.errorOutput)")
    for text in [
      "run 1: ends with signal", "run 2: a broken law", "run 3: an error without a code",
      "run 4: does not end within 1 s", "self-test: 5 runs", "4 findings (seed 1)",
    ] {
      #expect(result.output.contains(text), "\(text) is not in \(result.output)")
    }
    for number in 1...4 as ClosedRange<UInt8> {
      let path = "\(findings)/self-test-1-\(number)"
      #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == [number])
    }
  }

  @Test func aFindingIsRepeatedFromItsFile() throws {
    let path = try folder.write([2], to: "finding")
    let result = try program.run(["self-test", path])
    #expect(result.status == 1)
    #expect(result.output.contains("a broken law"))
    let sound = try program.run(["self-test", try folder.write([0], to: "sound")])
    #expect(sound.status == 0, "\(sound.output)")
  }

  @Test func unknownTargetsAreRefused() throws {
    #expect(try program.run(["nothing"]).status == 64)
    #expect(try program.run([]).status == 64)
  }
}
