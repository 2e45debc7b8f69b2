/// The two states that a file of changes is between: `changes.json`.
package struct ChangesDocument: Sendable, Equatable {
  /// What is known of a state besides its rows.
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

    fileprivate init(_ node: DocumentNode) throws(DocumentError) {
      digest = try node.string("digest")
      journalMode = try node.required("journalMode").string()
      guard ["wal", "delete"].contains(journalMode) else {
        throw try node.required("journalMode").error("\"wal\" or \"delete\"")
      }
      userVersion = try node.required("userVersion").integer()
      applicationID = try node.required("applicationID").integer()
    }

    fileprivate var encoded: JSONValue {
      var members = JSONObject()
      members.append("digest", digest.map(JSONValue.string))
      members.append("journalMode", .string(journalMode))
      members.append("userVersion", .integer(userVersion))
      members.append("applicationID", .integer(applicationID))
      return .object(members)
    }

    /// Whether the settings are those of another state.
    package func hasSameSettings(as other: State) -> Bool {
      journalMode == other.journalMode && userVersion == other.userVersion
        && applicationID == other.applicationID
    }
  }

  /// The state that the changes begin with.
  package var before: State
  /// The state that they lead to.
  package var after: State

  /// Creates the document of two states.
  package init(before: State, after: State) {
    self.before = before
    self.after = after
  }

  /// The document as JSON.
  package func encoded() -> JSONValue {
    .object(["before": before.encoded, "after": after.encoded])
  }

  /// Reads a document.
  ///
  /// - Throws: ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: ArchiveEntryName.changes)
    before = try State(reader.required("before"))
    after = try State(reader.required("after"))
  }
}
