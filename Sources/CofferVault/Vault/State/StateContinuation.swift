internal import CoreDataArchive
internal import CoreDataStore

/// The note that the state in a file is also the state of a later backup, so that the file need not be written
/// again.
struct StateContinuation {
  /// The digest at the end of the file.
  let seal: String
  /// The time and the content of the latest backup of the state, as its name has them.
  let backup: String
  /// How many backups were made since one for which all rows were compared.
  let uncomparedCount: Int
  /// The identity of the files of the store; nil if it was not certain.
  let identity: ContentIdentity?

  private static let format = "coffer-state-continuation"
  private static let version = Int64(1)

  init(seal: String, backup: String, uncomparedCount: Int, _ identity: ContentIdentity?) {
    (self.seal, self.backup) = (seal, backup)
    (self.uncomparedCount, self.identity) = (uncomparedCount, identity)
  }

  var encoded: JSONValue {
    var members: JSONObject = [
      "format": .string(Self.format), "version": .integer(Self.version), "state": .string(seal),
      "backup": .string(backup), "uncompared": .integer(Int64(uncomparedCount)),
    ]
    if let identity { members.append("identity", identity.encoded) }
    return .object(members)
  }

  /// Reads a note; nil if it is not whole, or of another version.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue.parse(bytes),
      case let reader = DocumentNode(value, name: "continuation"),
      (try? reader.required("format").string()) == Self.format,
      (try? reader.required("version").integer()) == Self.version,
      let seal = try? reader.required("state").string(),
      let backup = try? reader.required("backup").string(),
      let count = try? reader.required("uncompared").int(), count >= 0
    else { return nil }
    let identity = (try? reader.optional("identity")).flatMap { try? ContentIdentity($0) }
    self.init(seal: seal, backup: backup, uncomparedCount: count, identity)
  }
}

extension ContentIdentity {
  var encoded: JSONValue {
    .array([
      .array(numbers.map(JSONValue.integer)), .array(headers.map { .integer(Int64($0)) }),
    ])
  }

  init(_ node: DocumentNode) throws(DocumentError) {
    let lists = try node.elements()
    guard lists.count == 2 else { throw node.error("numbers and headers") }
    self.init(
      numbers: try lists[0].elements().map { value throws(DocumentError) in try value.integer() },
      headers: try lists[1].elements().map { value throws(DocumentError) in
        UInt8(clamping: try value.integer())
      })
  }
}
