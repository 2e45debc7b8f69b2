internal import CoreDataArchive
internal import Testing

@Suite struct JSONValueTests {
  @Test func membersKeepTheirOrderAndAreLookedUp() throws {
    let value = try JSONValue.parse(#"{"b":1,"a":[true,null,"x",2.5],"c":{}}"#.utf8)
    #expect(
      value
        == .object([
          "b": .integer(1), "a": .array([.bool(true), .null, .string("x"), .real(2.5)]),
          "c": .object([:]),
        ]))
    #expect(value["a"] == .array([.bool(true), .null, .string("x"), .real(2.5)]))
    #expect(value["d"] == nil)
    #expect(value["a"]?["b"] == nil)
  }

  @Test(arguments: [
    (#"{"a":1,"a":1}"#, 11), (#"{"a":1,"b":{"x":1,"\u0078":2}}"#, 26), (#"[{"":1,"":2}]"#, 10),
  ])
  func aKeyThatOccursTwiceIsAnError(text: String, offset: Int) {
    #expect(throws: JSONError.self) { try JSONValue.parse(text.utf8) }
    do throws(JSONError) {
      _ = try JSONValue.parse(text.utf8)
    } catch {
      #expect(error.kind == .duplicateKey)
      #expect(error.offset <= text.utf8.count)
    }
  }

  @Test func limitsAreKept() throws {
    let limits = JSONLimits(bytes: 20, depth: 3, values: 5)
    #expect(throws: JSONError(.tooLarge, at: 20)) {
      try JSONValue.parse(String(repeating: " ", count: 21).utf8, limits: limits)
    }
    #expect(throws: JSONError(.tooDeep, at: 3)) {
      try JSONValue.parse("[[[[]]]]".utf8, limits: limits)
    }
    #expect(throws: JSONError(.tooLarge, at: 10)) {
      try JSONValue.parse("[1,2,3,4,5]".utf8, limits: limits)
    }
    _ = try JSONValue.parse("[1,2,3,4]".utf8, limits: limits)
    _ = try JSONValue.parse("[[[]]]".utf8, limits: limits)
    let deepest = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    #expect(try JSONValue.parse(deepest.utf8).bytes(layout: .compact) == Array(deepest.utf8))
    #expect(throws: JSONError(.tooDeep, at: 256)) { try JSONValue.parse("[\(deepest)]".utf8) }
  }

  @Test(arguments: ["1 2", "[1]x", "{}{", "\"a\"\u{0}"])
  func nothingMayStandBehindTheValue(text: String) {
    #expect(throws: JSONError.self) { try JSONValue.parse(text.utf8) }
  }

  private let sample: JSONValue = .object([
    "name": .string("a\nb"), "empty": .array([]), "none": .object([:]),
    "short": .array([.integer(1), .real(2), .null]),
    "long": .array((0..<3).map { .string(String(repeating: "x", count: 30) + "\($0)") }),
    "records": .array([
      .object(["name": .string("p"), "size": .integer(1)]),
      .object(["deep": .object(["list": .array([.bool(true), .array([.integer(2)])])])]),
    ]),
  ])

  @Test func indentedTextIsReadable() {
    let x = String(repeating: "x", count: 30)
    let expected = """
      {
        "name": "a\\nb",
        "empty": [],
        "none": {},
        "short": [1, 2.0, null],
        "long": [
          "\(x)0",
          "\(x)1",
          "\(x)2"
        ],
        "records": [
          {"name": "p", "size": 1},
          {
            "deep": {
              "list": [
                true,
                [2]
              ]
            }
          }
        ]
      }

      """
    #expect(String(decoding: sample.bytes(), as: UTF8.self) == expected)
  }

  @Test func levelsPutARecordOnALine() {
    let value: JSONValue = .object([
      "format": .string("coffer"),
      "entries": .array([
        .object(["name": .string("a"), "size": .integer(1)]),
        .object(["name": .string("b"), "objects": .object(["Person": .integer(2)])]),
      ]),
    ])
    let expected = """
      {
        "format": "coffer",
        "entries": [
          {"name":"a","size":1},
          {"name":"b","objects":{"Person":2}}
        ]
      }

      """
    #expect(String(decoding: value.bytes(layout: .levels(2)), as: UTF8.self) == expected)
    #expect(value.bytes(layout: .levels(0)).dropLast() == value.bytes(layout: .compact)[...])
  }

  @Test func aRealThatIsNotFiniteIsAMistakeOfTheWriter() async {
    await #expect(processExitsWith: .failure) { _ = JSONValue.real(.infinity).bytes() }
  }

  /// A random value of at most that depth.
  static func random(_ depth: Int, using random: inout JSONTestRandom) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
    case 3:
      let value = Double(bitPattern: random.next())
      return .real(value.isFinite ? value : 0.5)
    case 4, 5: return .string(text(using: &random))
    case 6:
      return .array(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          Self.random(depth - 1, using: &random)
        })
    default:
      var object = JSONObject()
      for index in 0..<Int.random(in: 0...5, using: &random) {
        object.append("\(text(using: &random))\(index)", Self.random(depth - 1, using: &random))
      }
      return .object(object)
    }
  }

  static func text(using random: inout JSONTestRandom) -> String {
    let pieces = [
      "a", "Person", "$", "\"", "\\", "\n", "\u{0}", "é", "e\u{301}", "漢", "😀", " ", "/",
    ]
    return (0..<Int.random(in: 0...6, using: &random))
      .map { _ in pieces[Int(random.next() % 13)] }.joined()
  }

  @Test(arguments: [JSONLayout.compact, .indented, .levels(0), .levels(1), .levels(3)])
  func everyLayoutReadsBackToTheSameValue(layout: JSONLayout) throws {
    let seed: UInt64 = 5
    var random = JSONTestRandom(seed: seed)
    for _ in 0..<1_000 {
      let value = Self.random(5, using: &random)
      let bytes = value.bytes(layout: layout)
      let back = try JSONValue.parse(bytes)
      #expect(back == value, "seed \(seed)")
      #expect(back.bytes(layout: layout) == bytes, "seed \(seed)")
    }
  }
}
