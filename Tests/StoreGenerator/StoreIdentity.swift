package import CoreDataModel
internal import Crypto
internal import Foundation

/// The content of `Z_METADATA` (store-format, section 1).
package struct StoreIdentity: Sendable {
  /// The UUID of the store, in upper case.
  package var uuid: String
  /// The version of the framework that the store claims to be from; 1448 is macOS 15.
  package var frameworkVersion: Int64 = 1448
  /// The keys of the app.
  package var metadata: [PropertyListValue.Entry]

  /// Creates the identity of a store.
  package init(uuid: String, metadata: [PropertyListValue.Entry] = []) {
    self.uuid = uuid
    self.metadata = metadata
  }

  /// The version hashes: 32 bytes for each entity, the same for the same model.
  ///
  /// How Core Data computes hashes is not known (store-format, section 9); these are hashes of the
  /// names and types of the properties, so that different models have different ones.
  package static func versionHashes(
    _ model: ManagedObjectModel
  ) -> [(name: Name, hash: [UInt8])] {
    model.entities.map { entity in
      var text = "\(entity.name)|\(entity.isAbstract)|\(entity.versionHashModifier ?? "")"
      for attribute in model.allAttributes(of: entity.name) {
        text += "|\(attribute.name):\(attribute.type.rawValue):\(attribute.isOptional)"
        text += ":\(attribute.versionHashModifier ?? "")"
      }
      for relationship in model.allRelationships(of: entity.name) {
        text += "|\(relationship.name):\(relationship.destinationName):\(relationship.maxCount)"
      }
      return (entity.name, Array(SHA256.hash(data: Data(text.utf8))))
    }
  }

  /// The bytes of the property list.
  func propertyList(_ model: ManagedObjectModel) -> [UInt8] {
    let hashes = Self.versionHashes(model)
    // The order is that of the entities of a model: by code units, letter case counts.
    let digest = SHA512.hash(data: Data(hashes.flatMap { Array($0.name.utf8) + $0.hash }))
    let checksum = SHA256.hash(data: Data(hashes.flatMap(\.hash)))
    let hashesByName = hashes.map { PropertyListValue.Entry($0.name.text, .data($0.hash)) }
    let identifiers = model.versionIdentifiers.map { PropertyListValue.string($0.text) }
    let own: [PropertyListValue.Entry] = [
      .init("NSPersistenceFrameworkVersion", .integer(frameworkVersion)),
      .init("NSStoreModelVersionChecksumKey", .string(Data(checksum).base64EncodedString())),
      .init("NSStoreModelVersionHashes", .dictionary(hashesByName)),
      .init("NSStoreModelVersionHashesDigest", .string(Data(digest).base64EncodedString())),
      .init("NSStoreModelVersionHashesVersion", .integer(3)),
      .init("NSStoreModelVersionIdentifiers", .array(identifiers)),
      .init("NSStoreType", .string("SQLite")),
      .init("_NSAutoVacuumLevel", .string("2")),
    ]
    return BinaryPlistWriter.write(.dictionary(metadata + own))
  }
}
