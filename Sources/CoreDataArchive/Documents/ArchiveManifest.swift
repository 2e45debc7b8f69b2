package import CoreDataModel

/// The description of an archive, in its first entry: `manifest.json`.
package struct ArchiveManifest: Sendable, Equatable {
  /// The name of the format, as in the index.
  package static let format = ArchiveIndex.format
  /// The version of the format that is written.
  package static let version = Int64(ArchiveIndex.version)

  /// The kind of lines in an archive.
  package enum Kind: String, Sendable {
    case store
    /// The changes that lead from the rows of one state of a store to another.
    case changes
  }

  /// The kind of the lines; the default is a store.
  package var kind = Kind.store
  /// The version of the format.
  package var version: Int64
  /// The oldest version that a reader must know to read the archive.
  package var minimumReader: Int64
  /// The UUID of the store; nil if it has none.
  package var storeUUID: String?
  /// The version of the framework that wrote the store; nil if it is unknown.
  package var frameworkVersion: Int64?
  /// The source of the model.
  package var modelSource: String
  /// The names of the entities, in the order of their numbers.
  package var entityNames: [Name]

  /// Creates the manifest of an archive.
  package init(
    storeUUID: String?, frameworkVersion: Int64?, modelSource: String, entityNames: [Name]
  ) {
    version = Self.version
    minimumReader = Self.version
    self.storeUUID = storeUUID
    self.frameworkVersion = frameworkVersion
    self.modelSource = modelSource
    self.entityNames = entityNames
  }

  /// The manifest as JSON.
  package func encoded() -> JSONValue {
    var store = JSONObject()
    store.append("uuid", storeUUID.map(JSONValue.string))
    store.append("frameworkVersion", frameworkVersion.map(JSONValue.integer))
    store.append("modelSource", .string(modelSource))
    var members: JSONObject = ["format": .string(Self.format)]
    members.append("kind", kind == .store ? nil : .string(kind.rawValue))
    members.append("version", .integer(version))
    members.append("minimumReader", .integer(minimumReader))
    members.append("store", .object(store))
    members.append("entities", .names(entityNames))
    return .object(members)
  }

  /// Reads a manifest; throws ``DocumentError`` where something is missing or has another type than it should.
  package init(_ document: JSONValue) throws(DocumentError) {
    let reader = DocumentNode(document, name: ArchiveEntryName.manifest)
    guard try reader.required("format").string() == Self.format else {
      throw try reader.required("format").error("\"coffer\"")
    }
    if let name = try reader.string("kind") {
      guard let kind = Kind(rawValue: name) else {
        throw try reader.required("kind").error("a known kind")
      }
      self.kind = kind
    }
    version = try reader.required("version").integer()
    minimumReader = try reader.required("minimumReader").integer()
    let store = try reader.optional("store")
    storeUUID = try store?.string("uuid")
    frameworkVersion = try store?.optional("frameworkVersion")?.integer()
    modelSource = try store?.string("modelSource") ?? ""
    entityNames = try reader.required("entities").names()
  }
}
