package import CoreDataModel

/// The document `model.json`: a managed object model with the version hashes of its entities.
///
/// Members with their default value are omitted; see the initializers of the model's types for the
/// defaults. Reading the written document gives an equal model.
package struct ModelDocument: Sendable, Equatable {
  /// The model.
  package var model: ManagedObjectModel
  /// The version hashes by the names of the entities; empty when they are not known.
  package var versionHashes: [Name: VersionHash]

  /// Creates the document of a model.
  package init(model: ManagedObjectModel, versionHashes: [Name: VersionHash] = [:]) {
    self.model = model
    self.versionHashes = versionHashes
  }

  /// Reads a document.
  ///
  /// Members that are not known are ignored.
  ///
  /// - Throws: ``DocumentError`` with the path of a value that has the wrong type or is missing.
  package init(_ value: JSONValue) throws(DocumentError) {
    let root = DocumentNode(value, name: ArchiveEntryName.model)
    var entities: [EntityDescription] = []
    for node in try root.required("entities").elements() { entities.append(try node.entity()) }
    var configurations: [Name: [Name]] = [:]
    for (name, node) in try root.optional("configurations")?.members() ?? [] {
      configurations[Name(name)] = try node.names()
    }
    var hashes: [Name: VersionHash] = [:]
    for (name, node) in try root.optional("versionHashes")?.members() ?? [] {
      hashes[Name(name)] = VersionHash(bytes: try node.base64())
    }
    let sourceNode = try root.required("source")
    guard let source = ModelSource(rawValue: try sourceNode.string()) else {
      throw sourceNode.error("a known source")
    }
    model = ManagedObjectModel(
      entities: entities,
      versionIdentifiers: try root.optional("versionIdentifiers")?.names() ?? [],
      configurations: configurations,
      fetchRequestTemplateNames: try root.optional("fetchRequestTemplates")?.names() ?? [],
      source: source)
    versionHashes = hashes
  }

  /// The document as JSON: entities by name, everything else in a fixed order.
  package var value: JSONValue {
    var object = JSONObject()
    object.append("source", model.source.rawValue)
    object.append("versionIdentifiers", model.versionIdentifiers) { .name($0) }
    object.append("entities", .array(model.entities.map { JSONValue($0) }))
    if !model.configurations.isEmpty {
      object.append("configurations", .sorted(model.configurations) { .names($0) })
    }
    object.append("fetchRequestTemplates", model.fetchRequestTemplateNames) { .name($0) }
    if !versionHashes.isEmpty {
      object.append("versionHashes", .sorted(versionHashes) { .base64($0.bytes) })
    }
    return .object(object)
  }
}

extension ModelDocument {
  /// An entity, as the document holds it.
  package static func encode(_ entity: EntityDescription) -> JSONValue { JSONValue(entity) }

  /// The document of a model and the version hashes of its entities.
  package static func encode(
    _ model: ManagedObjectModel, versionHashes: [Name: VersionHash]
  ) -> JSONValue {
    ModelDocument(model: model, versionHashes: versionHashes).value
  }

  /// The model and the version hashes of a document.
  ///
  /// - Throws: ``DocumentError`` as the initializer does.
  package static func decode(
    _ value: JSONValue
  ) throws(DocumentError) -> (model: ManagedObjectModel, versionHashes: [Name: VersionHash]) {
    let document = try ModelDocument(value)
    return (document.model, document.versionHashes)
  }
}

extension JSONValue {
  /// A dictionary with its keys in ascending order of code units.
  fileprivate static func sorted<Value>(
    _ entries: [Name: Value], _ convert: (Value) -> JSONValue
  ) -> JSONValue {
    let sorted = entries.sorted { $0.key < $1.key }
    return .object(
      JSONObject(sorted.map { JSONObject.Member(key: $0.key.text, value: convert($0.value)) }))
  }
}
