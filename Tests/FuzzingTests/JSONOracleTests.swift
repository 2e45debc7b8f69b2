internal import CoreDataArchive
internal import Foundation
internal import Fuzzing
internal import TestSupport
internal import Testing

/// Python's reader and ours agree on what is JSON, for the inputs of a campaign.
///
/// Only where they must: Python takes numbers of any size, halves of surrogate pairs and keys that
/// come twice, and has a limit of depth of its own.
@Suite struct JSONOracleTests {
  private static let count = 3000

  private static let program = """
    import json, sys
    def refuse(text): raise ValueError(text)
    for line in sys.stdin:
        try:
            json.loads(bytes.fromhex(line.strip()).decode("utf-8"), parse_constant=refuse)
            print("valid")
        except RecursionError: print("deep")
        except ValueError: print("invalid")
    """

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }

  @Test(.enabled(if: ProcessRunner.find("python3") != nil, "there is no python3"))
  func pythonAgreesOnWhatIsJSON() throws {
    let campaign = try FuzzCampaign(try #require(FuzzTarget.named("json")), seed: 77)
    let inputs = (0..<Self.count).map(campaign.input)
    let lines = inputs.map(Self.hex)
    let python = ProcessRunner(try #require(ProcessRunner.find("python3")))
    let result = try python.run(
      ["-c", Self.program], input: Array(lines.joined(separator: "\n").utf8))
    let answers = result.output.split(separator: "\n")
    try #require(answers.count == inputs.count, "\(result.errorOutput)")
    var agreed = 0
    for (number, (input, answer)) in zip(inputs, answers).enumerated() where answer != "deep" {
      do throws(JSONError) {
        _ = try JSONValue.parse(input)
        #expect(answer == "valid", "seed 77, input \(number) is read")
      } catch {
        switch error.kind {
        case .bigNumber, .loneSurrogate, .duplicateKey, .tooDeep, .tooLarge: continue
        default: #expect(answer == "invalid", "seed 77, input \(number): \(error)")
        }
      }
      agreed += 1
    }
    #expect(agreed > Self.count / 2)
  }
}
