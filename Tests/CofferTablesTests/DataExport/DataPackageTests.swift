internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// The description of exported tables for other programs.
@Suite struct DataPackageTests {
  private struct Package: Decodable {
    struct Resource: Decodable {
      var name: String
      var path: String
      var schema: Schema
    }
    struct Schema: Decodable {
      var fields: [Field]
      var primaryKey: [String]?
      var foreignKeys: [ForeignKey]?
    }
    struct Field: Decodable {
      var name: String
      var type: String
    }
    struct ForeignKey: Decodable {
      var fields: [String]
      var reference: Reference
    }
    struct Reference: Decodable {
      var resource: String
      var fields: [String]
    }
    var resources: [Resource]
  }

  private func exported(_ format: DataFormat) throws -> (trial: DataExportTrial, package: Package) {
    let trial = DataExportTrial(try SampleCopy())
    _ = try trial.write(trial.store, DataExportOptions(format: format), to: "T")
    let data = Data(try trial.text("T/datapackage.json").utf8)
    return (trial, try JSONDecoder().decode(Package.self, from: data))
  }

  @Test func everyFileIsDescribed() throws {
    let (trial, package) = try exported(.csv)
    let names = try trial.files("T").keys.filter { $0.hasSuffix(".csv") }
    #expect(package.resources.map(\.path).sorted() == names.sorted())
    for resource in package.resources {
      let header = try trial.text("T/\(resource.path)").prefix { !$0.isNewline }
      #expect(header == resource.schema.fields.map(\.name).joined(separator: ","))
      let keys = resource.schema.foreignKeys ?? []
      for key in keys {
        #expect(names.contains(key.reference.resource))
        #expect(key.reference.fields == ["id"])
      }
    }
  }

  @Test func typesAndKeysAreThoseOfTheModel() throws {
    let (_, package) = try exported(.ndjson)
    let todo = try #require(package.resources.first { $0.name == "TodoEntity.ndjson" })
    var types: [String: String] = [:]
    for field in todo.schema.fields { types[field.name] = field.type }
    #expect(todo.schema.primaryKey == ["id"])
    #expect(types["id"] == "integer")
    #expect(types["title"] == "string")
    #expect(types["createdAt"] == "datetime")
    let pairs = try #require(package.resources.first { $0.name == "TodoEntity.tags.ndjson" })
    #expect(pairs.schema.primaryKey == nil)
    #expect(
      pairs.schema.foreignKeys?.map { $0.reference.resource }.contains("TagEntity.ndjson") == true)
  }

  @Test func aDatabaseNeedsNone() throws {
    let trial = DataExportTrial(try SampleCopy())
    _ = try trial.write(trial.store, DataExportOptions(format: .sqlite), to: "T")
    #expect(try trial.files("T")["datapackage.json"] == nil)
  }
}
