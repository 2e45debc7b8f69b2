/// The two states that a change file is between: `changes.json`.
package struct ChangesDocument: Sendable, Equatable {
  /// The facts about a state besides its rows.
  package struct State: Sendable, Equatable {
    /// The content digest; nil if it was not computed.
    package var digest: String?
    /// The journal mode: `wal` or `delete`.
    package var journalMode: String
    /// The application's number of its schema's version.
    package var userVersion: Int64
    /// The application's number of its file format.
    package var applicationID: Int64

    /// Describes a state of a store with a schema.
    package init(_ schema: SchemaDocument, digest: String? = nil) {
      self.digest = digest
      journalMode = schema.journalMode
      userVersion = schema.userVersion
      applicationID = schema.applicationID
    }

    /// Reads a state; throws ``DocumentError`` where something is missing or has another type than it should.
    package init(_ node: DocumentNode) throws(DocumentError) {
      digest = try node.string("digest")
      journalMode = try node.required("journalMode").string()
      guard ["wal", "delete"].contains(journalMode) else {
        throw try node.required("journalMode").error("\"wal\" or \"delete\"")
      }
      userVersion = try Self.setting("userVersion", of: node)
      applicationID = try Self.setting("applicationID", of: node)
    }

    /// A number that SQLite keeps in 32 bits: it would store something else for a larger one.
    private static func setting(
      _ name: String, of node: DocumentNode
    ) throws(DocumentError) -> Int64 {
      let member = try node.required(name)
      let value = try member.integer()
      guard Int32(exactly: value) != nil else { throw member.error("an integer of 32 bits") }
      return value
    }

    /// The state as JSON.
    package var encoded: JSONValue {
      var members = JSONObject()
      members.append("digest", digest.map(JSONValue.string))
      members.append("journalMode", .string(journalMode))
      members.append("userVersion", .integer(userVersion))
      members.append("applicationID", .integer(applicationID))
      return .object(members)
    }

    /// Whether the settings equal another state's.
    package func hasSameSettings(as other: State) -> Bool {
      journalMode == other.journalMode && userVersion == other.userVersion
        && applicationID == other.applicationID
    }
  }

  /// A file of the support folder after the changes whose content is not in the change file.
  package struct FileElsewhere: Sendable, Equatable {
    /// The name of the entry that an archive has for it: `external/UUID`.
    package var name: String
    /// Its size in bytes.
    package var size: Int
    /// The digest of its content, which identifies it.
    package var digest: ArchiveDigest

    /// Names a file.
    package init(name: String, size: Int, digest: ArchiveDigest) {
      (self.name, self.size, self.digest) = (name, size, digest)
    }

    fileprivate init(_ node: DocumentNode) throws(DocumentError) {
      name = try node.required("name").string()
      let size = try node.required("size")
      self.size = try size.int()
      guard self.size >= 0 else { throw size.error("a size") }
      let text = try node.required("sha256")
      guard let digest = ArchiveDigest(hex: try text.string()) else {
        throw text.error("64 hexadecimal digits")
      }
      self.digest = digest
    }

    fileprivate var encoded: JSONValue {
      .object(["name": .string(name), "size": .integer(Int64(size)), "sha256": .string(digest.hex)])
    }
  }

  /// The state that the changes begin with.
  package var before: State
  /// The state that they lead to.
  package var after: State
  /// Whether all old values are included, so that the changes can be reversed, and a state can be compared
  /// with the old state.
  package var isReversible = true
  /// The files of the support folder that the earlier state has and that the later state lacks or changes,
  /// by the names of an archive's entries; empty if the changes are reversible.
  package var removedFiles: [String] = []
  /// The files after the changes whose content is elsewhere; empty if the changes are reversible.
  package var filesElsewhere: [FileElsewhere] = []
  /// The folders of the tables whose lines are all rows after the changes, regardless of the rows
  /// before; empty if the changes are reversible.
  package var wholeTables: [String] = []

  /// Creates the document of two states.
  package init(before: State, after: State) {
    self.before = before
    self.after = after
  }

  /// The document as JSON.
  package func encoded() -> JSONValue {
    var members: JSONObject = ["before": before.encoded, "after": after.encoded]
    members.append("reversible", isReversible, unless: true)
    if !removedFiles.isEmpty { members.append("removed", JSONValue.strings(removedFiles)) }
    if !filesElsewhere.isEmpty {
      members.append("elsewhere", .array(filesElsewhere.map(\.encoded)))
    }
    if !wholeTables.isEmpty { members.append("whole", JSONValue.strings(wholeTables)) }
    return .object(members)
  }

  /// Reads a document; throws ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: ArchiveEntryName.changes)
    before = try State(reader.required("before"))
    after = try State(reader.required("after"))
    isReversible = try reader.flag("reversible", default: true)
    removedFiles = try reader.strings("removed")
    for node in try reader.elements("elsewhere") { filesElsewhere.append(try FileElsewhere(node)) }
    wholeTables = try reader.strings("whole")
    for (key, isThere) in [
      ("removed", !removedFiles.isEmpty), ("elsewhere", !filesElsewhere.isEmpty),
      ("whole", !wholeTables.isEmpty),
    ] where isReversible && isThere {
      throw try reader.required(key).error("nothing, because the changes are reversible")
    }
  }
}
