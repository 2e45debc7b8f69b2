internal import CoreDataArchive
internal import Testing

@Suite struct JSONDamageTests {
  private static let document = Array(
    #"""
    {"$pk":7,"$opt":12,"$entity":"Note","age":-12,"big":9223372036854775807,"born":"1999-12-31T23:59:59.25Z",
    "data":"AAECAwQFBgc=","flag":true,"none":null,"ratio":-1.5e-7,"text":"ein \"Zitat\" \\ \u00e9\ud83d\ude00 漢字 😀\n",
    "tags":[[],{},[1,2,[3]],{"$real":"Infinity"}],"nested":{"a":{"b":{"c":[false]}}}}
    """#.utf8)

  @Test func everyTruncationIsAnError() throws {
    let guarded = try GuardedText(room: 4_096)
    #expect(try guarded.tokens(Self.document).count > 40)
    for length in 0..<Self.document.count {
      #expect(throws: JSONError.self, "\(length)") {
        _ = try guarded.tokens(Self.document.prefix(length))
      }
    }
  }

  @Test func everyByteAtEveryPlaceIsAcceptedOrRefusedWithoutTrap() throws {
    let guarded = try GuardedText(room: 4_096)
    var accepted = 0
    for place in Self.document.indices {
      var text = Self.document
      for byte in 0...UInt8.max {
        text[place] = byte
        do throws(any Error) {
          _ = try guarded.tokens(text)
          accepted += 1
        } catch let error as JSONError {
          #expect(error.offset >= 0 && error.offset <= text.count)
        }
      }
    }
    #expect(accepted > Self.document.count)
  }

  @Test func randomMutationsDoNotTrap() throws {
    let seed: UInt64 = 404
    var random = JSONTestRandom(seed: seed)
    let guarded = try GuardedText(room: 4_096)
    let pieces = [
      "\"", "\\", "\\u", "\\uD83D", "{", "}", "[", "]", ",", ":", "-", "1", ".", "e", "é", " ",
    ]
    for _ in 0..<20_000 {
      var text = Self.document
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch random.next() % 4 {
        case 0: text[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: text.removeSubrange(place..<min(place + Int(random.next() % 9), text.count))
        case 2: text.insert(contentsOf: pieces[Int(random.next() % 16)].utf8, at: place)
        default: text.insert(contentsOf: text.prefix(place), at: place)
        }
        if text.count > 4_096 { text.removeSubrange(4_096...) }
        if text.isEmpty { text = [0x30] }
      }
      do {
        _ = try guarded.tokens(text)
      } catch {
        #expect(error is JSONError, "seed \(seed)")
      }
    }
  }

  @Test(.enabled(if: PythonOracle.isAvailable, "needs python3"))
  func pythonAcceptsWhateverTheScannerAccepts() throws {
    let seed: UInt64 = 405
    var random = JSONTestRandom(seed: seed)
    let line = Self.document.map { $0 == 0x0A ? 0x20 : $0 }
    var accepted: [String] = []
    for _ in 0..<20_000 {
      var text = line
      for _ in 0..<2 {
        text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(
          in: 32..<127, using: &random)
      }
      if (try? tokens(text)) != nil { accepted.append(String(decoding: text, as: UTF8.self)) }
    }
    let program = """
      import json, sys
      for line in sys.stdin:
          json.loads(line)
          print("valid")
      """
    let answers = try PythonOracle.lines(program, input: accepted)
    #expect(accepted.count > 1_000)
    #expect(answers.count == accepted.count, "seed \(seed)")
  }
}
