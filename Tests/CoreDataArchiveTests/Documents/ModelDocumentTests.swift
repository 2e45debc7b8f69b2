internal import CoreDataArchive
internal import CoreDataModel
internal import Testing

@Suite struct ModelDocumentTests {
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func randomModelsAreReadBack(seed: UInt64) throws {
    var maker = RandomModel(seed: seed)
    for _ in 0..<100 {
      let document = ModelDocument(model: maker.model(), versionHashes: maker.hashes())
      let bytes = document.value.bytes()
      let back = try ModelDocument(JSONValue.parse(bytes))
      #expect(back == document, "seed \(seed)")
      #expect(back.model.source == document.model.source)
      // Equal texts can differ in their bytes, and 0 equals -0: the documents must not.
      #expect(back.value.bytes() == bytes, "seed \(seed)")
    }
  }

  @Test(
    arguments: [
      .null, .unsigned(.max), .real(.infinity), .real(-.infinity), .real(-0.0), .date(.infinity),
      .real(.nan), .date(.nan),
      .date(0), .date(-0.0), .date(1e300), .date(736_259_400.25), .data([]), .data([0, 255]),
      .dictionary([:]),
      .dictionary(["$real": .string("x"), "$$a": .null, "$": .bool(true), "": .null]),
      .object(className: "", fields: [:]),
      .object(className: "A", fields: ["$object": .integer(1)]),
      .array([.array([]), .dictionary(["$object": .dictionary(["$fields": .null])])]),
      .cycle(className: "A"), .uuid(""), .url("$"), .string("$data"),
    ] as [ModelValue])
  func everyKindOfValueIsReadBack(value: ModelValue) throws {
    let json = try JSONValue.parse(JSONValue(value).bytes())
    let back = try DocumentNode(json, name: "").modelValue()
    #expect(back == value)
    #expect(JSONValue(back) == json)
  }

  @Test func theDocumentIsReadable() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person", className: "Person",
          attributes: [
            AttributeDescription(name: "name", type: .string, isOptional: false),
            AttributeDescription(name: "born", type: .date, defaultValue: .date(0)),
          ],
          relationships: [
            RelationshipDescription(
              name: "notes", destinationName: "Note", inverseName: "person", maxCount: 0,
              deleteRule: .cascade)
          ],
          uniquenessConstraints: [["name", "born"]], userInfo: ["$key": .string("value")]),
        EntityDescription(name: "Note", superentityName: "Item"),
      ],
      versionIdentifiers: [""], configurations: ["Default": ["Person", "Note"]],
      source: .modelCache)
    let hashes: [Name: VersionHash] = ["Note": VersionHash(bytes: [1, 2, 3])]
    let expected = """
      {
        "source": "modelcache",
        "versionIdentifiers": [""],
        "entities": [
          {"name": "Note", "superentity": "Item"},
          {
            "name": "Person",
            "className": "Person",
            "attributes": [
              {
                "name": "born",
                "type": "Date",
                "defaultValue": {"$date": "2001-01-01T00:00:00.0Z"}
              },
              {"name": "name", "type": "String", "isOptional": false}
            ],
            "relationships": [
              {
                "name": "notes",
                "destination": "Note",
                "inverse": "person",
                "maxCount": 0,
                "deleteRule": "Cascade"
              }
            ],
            "uniquenessConstraints": [
              ["name", "born"]
            ],
            "userInfo": {"$$key": "value"}
          }
        ],
        "configurations": {
          "Default": ["Person", "Note"]
        },
        "versionHashes": {"Note": "AQID"}
      }

      """
    let document = ModelDocument(model: model, versionHashes: hashes)
    #expect(String(decoding: document.value.bytes(), as: UTF8.self) == expected)
  }

  @Test func keysThatAreNotKnownAreIgnored() throws {
    let text = """
      {"future":1,"source":"file","entities":[{"name":"A","future":[],"attributes":[
      {"name":"b","type":"String","future":{}}]}]}
      """
    let document = try ModelDocument(JSONValue.parse(text.utf8))
    let entity = EntityDescription(
      name: "A", attributes: [AttributeDescription(name: "b", type: .string)])
    #expect(document.model == ManagedObjectModel(entities: [entity], source: .file))
    #expect(document.versionHashes.isEmpty)
  }

  @Test(arguments: [
    ("[]", ""), (#"{"source":"file"}"#, "entities"), (#"{"source":1,"entities":[]}"#, "source"),
    (#"{"source":"moon","entities":[]}"#, "source"),
    (#"{"source":"file","entities":{}}"#, "entities"),
    (#"{"source":"file","entities":[1]}"#, "entities[0]"),
    (#"{"source":"file","entities":[{"name":"A"},{}]}"#, "entities[1].name"),
    (#"{"source":"file","entities":[{"name":null}]}"#, "entities[0].name"),
    (
      #"{"source":"file","entities":[{"name":"A","attributes":[{"name":"b","type":"Colour"}]}]}"#,
      "entities[0].attributes[0].type"
    ),
    (
      #"{"source":"file","entities":[{"name":"A","attributes":[{"name":"b","type":"String","isOptional":0}]}]}"#,
      "entities[0].attributes[0].isOptional"
    ),
    (
      #"{"source":"file","entities":[{"name":"A","relationships":[{"name":"b","destination":"C","maxCount":1.0}]}]}"#,
      "entities[0].relationships[0].maxCount"
    ),
    (
      #"{"source":"file","entities":[{"name":"A","userInfo":{"k":[1,{"$data":"?"}]}}]}"#,
      "entities[0].userInfo.k[1].$data"
    ),
    (
      #"{"source":"file","entities":[{"name":"A","userInfo":{"k":{"$future":1}}}]}"#,
      "entities[0].userInfo.k"
    ),
    (#"{"source":"file","entities":[],"versionHashes":{"A":"*"}}"#, "versionHashes.A"),
    (#"{"source":"file","entities":[],"configurations":{"A":[1]}}"#, "configurations.A[0]"),
  ])
  func wrongTypesAreToldByTheirPath(text: String, path: String) throws {
    let value = try JSONValue.parse(text.utf8)
    do throws(DocumentError) {
      _ = try ModelDocument(value)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.path == (path.isEmpty ? "model.json" : "model.json: \(path)"))
      #expect(!error.expected.isEmpty)
    }
  }

  /// Every value of a document replaced by one of each other type: read or refused, never a trap.
  @Test func replacedValuesDoNotTrap() throws {
    var maker = RandomModel(seed: 77)
    let value = ModelDocument(model: maker.model(), versionHashes: maker.hashes()).value
    let bytes = value.bytes(layout: .compact)
    let others = ["null", "0", "-1.5", "\"\"", "[]", "{}", "[[{}]]", "9223372036854775807"]
    var random = JSONTestRandom(seed: 78)
    for _ in 0..<500 {
      let other = try JSONValue.parse(others[Int(random.next() % 8)].utf8)
      var copy = try JSONValue.parse(bytes)
      Self.replace(in: &copy, by: other, random: &random)
      do throws(DocumentError) {
        _ = try ModelDocument(copy)
      } catch {
        #expect(!error.expected.isEmpty)
      }
    }
  }

  private static func replace(
    in value: inout JSONValue, by other: JSONValue, random: inout JSONTestRandom
  ) {
    switch value {
    case .array(var elements) where !elements.isEmpty && random.next() % 8 > 0:
      replace(
        in: &elements[Int(random.next() % UInt64(elements.count))], by: other, random: &random)
      value = .array(elements)
    case .object(var object) where !object.members.isEmpty && random.next() % 8 > 0:
      let index = Int(random.next() % UInt64(object.members.count))
      replace(in: &object.members[index].value, by: other, random: &random)
      value = .object(object)
    default:
      value = other
    }
  }
}
