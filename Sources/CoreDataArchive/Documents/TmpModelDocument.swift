package import CoreDataModel
package enum ModelDocument { package static func encode(_ m: ManagedObjectModel, versionHashes: [String: VersionHash]) -> JSONValue { .object([:]) }
 package static func decode(_ v: JSONValue) throws -> ManagedObjectModel { ManagedObjectModel(entities: [], source: .inferred) } }
