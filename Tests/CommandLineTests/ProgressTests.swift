internal import CofferKit
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import coffer

/// The progress of the work, for people and for programs.
@Suite struct ProgressTests {
  private let objects = WorkProgress(.objects, completed: 1000, total: 4000, byteCount: 12_345_678)

  @Test func aLineHasCountBytesRateAndTimeLeft() {
    #expect(
      ProgressText.text(objects, elapsed: .seconds(2))
        == "objects  1,000 of 4,000, 25 %  12.3 MB  500/s  0:06 left")
  }

  @Test func aPhaseThatHasJustBegunHasNoRate() {
    #expect(
      ProgressText.text(objects, elapsed: .milliseconds(5))
        == "objects  1,000 of 4,000, 25 %  12.3 MB")
  }

  @Test func whatIsNotKnownIsLeftOut() {
    #expect(ProgressText.text(WorkProgress(.writing), elapsed: .seconds(9)) == "writing to disk")
    let rows = WorkProgress(.otherRows, completed: 90)
    #expect(ProgressText.text(rows, elapsed: .seconds(9)) == "other rows  90  10/s")
  }

  @Test func lessImportantPartsAreDroppedFirstOnNarrowTerminals() {
    let widths = [
      (80, "objects  1,000 of 4,000, 25 %  12.3 MB  500/s  0:06 left"),
      (49, "objects  1,000 of 4,000, 25 %  500/s  0:06 left"),
      (40, "objects  1,000 of 4,000, 25 %  0:06 left"),
      (30, "objects  1,000 of 4,000, 25 %"), (12, "objects  1,0"), (0, ""),
    ]
    for (width, text) in widths {
      #expect(ProgressText.text(objects, elapsed: .seconds(2), width: width) == text)
    }
  }

  @Test func noLineOfAnyPhaseIsWiderThanTheTerminal() {
    for phase in WorkPhase.allCases {
      let most = WorkProgress(
        phase, completed: 999_999_999, total: 1_000_000_000, byteCount: 999_999_999_999)
      for width in [0, 1, 10, 39, 79, 119] {
        #expect(ProgressText.text(most, elapsed: .seconds(3000), width: width).count <= width)
      }
      #expect(!ProgressText.text(most, elapsed: .zero).contains("-"))
    }
  }

  /// What a line writes to a file of states that come so many milliseconds after the start.
  private func shown(
    _ form: ProgressLine.Form, _ states: [(milliseconds: Int, WorkProgress)]
  ) throws -> String {
    let time = Mutex(ContinuousClock.now)
    let start = time.withLock { $0 }
    let folder = try TemporaryDirectory()
    let path = try folder.write([], to: "shown")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let stream = StandardStream(descriptor: file.fileDescriptor, name: "the file")
    let line = ProgressLine(stream, form: form, now: { time.withLock { $0 } })
    for (milliseconds, state) in states {
      time.withLock { $0 = start + .milliseconds(milliseconds) }
      line.report(state)
    }
    line.erase()
    try file.close()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  private func state(_ completed: Int) -> WorkProgress {
    WorkProgress(.objects, completed: completed, total: 9)
  }

  @Test func firstAndLastStateOfEachPhaseAreWritten() throws {
    let text = try shown(
      .text,
      [
        (0, state(0)), (1, state(1)), (2, state(2)), (3, WorkProgress(.indexes)),
        (4, WorkProgress(.externalData, completed: 0, total: 2)),
        (5, WorkProgress(.externalData, completed: 2, total: 2)),
      ])
    #expect(
      text == """
        objects  0 of 9, 0 %
        objects  2 of 9, 22 %
        indexes
        external data  0 of 2, 0 %
        external data  2 of 2, 100 %

        """)
  }

  @Test func statesBetweenAreWrittenOncePerInterval() throws {
    let states = (0...2500).map { ($0, state($0)) }
    let lines = try shown(.text, states).split(separator: "\n")
    #expect(lines.count == 4)
    let drawn = try shown(.line, states).split(separator: "\r")
    #expect(drawn.count == 27)
    #expect(drawn.last == "\u{1B}[K")
  }

  @Test func programsReadStatesAsLinesOfJSON() throws {
    let text = try shown(.json, [(0, objects), (1234, WorkProgress(.writing))])
    #expect(
      text == """
        {"type":"progress","phase":"objects","completed":1000,"total":4000,"bytes":12345678,"seconds":0.0}
        {"type":"progress","phase":"writing-to-disk","completed":0,"seconds":1.234}

        """)
  }

  @Test(
    arguments: [
      ["export", "Big.sqlite", "b"], ["import", "a", "Copy.sqlite"], ["verify", "Big.sqlite"],
      ["verify", "a"], ["diff", "Big.sqlite", "a"],
      ["migrate", "Big.sqlite", "New.sqlite", "--model", "Big.sqlite"],
    ])
  func everyLongCommandTellsItsPhasesToTheirEnds(_ arguments: [String]) throws {
    let sandbox = try Sandbox()
    var options = GeneratorOptions()
    options.objectCount = 3000
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    #expect(try sandbox.coffer("export", "Big.sqlite", "a", "--fast").status == 0)
    let result = try sandbox.shell(
      "coffer \(arguments.joined(separator: " ")) --json --progress always")
    #expect(result.status == 0)
    let states = try result.errorOutput.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }.filter { $0["type"] as? String == "progress" }
    let phases = states.compactMap { ($0["phase"] as? String).flatMap(WorkPhase.init(rawValue:)) }
    #expect(phases.count == states.count)
    #expect(phases.contains(.objects))
    let last = try #require(states.last { $0["phase"] as? String == "objects" })
    #expect(last["completed"] as? Int == 3000)
    #expect(last["total"] as? Int == 3000)
    // Each phase is one stretch, and its counts rise.
    var seen: Set<WorkPhase> = []
    for (index, phase) in phases.enumerated() {
      if index == 0 || phases[index - 1] != phase {
        #expect(seen.insert(phase).inserted || phase == .opening, "\(phase) began twice")
      } else {
        let counts = [states[index - 1], states[index]].map { $0["completed"] as? Int ?? -1 }
        #expect(counts[0] <= counts[1])
      }
    }
    // Standard output has the answer alone.
    #expect(!result.output.contains(#""type":"progress""#))
  }

  @Test func withoutATerminalNothingIsShownUnlessAskedFor() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").errorOutput == "")
    #expect(try sandbox.coffer("export", "Todo.sqlite", "b", "--json").errorOutput == "")
  }
}
