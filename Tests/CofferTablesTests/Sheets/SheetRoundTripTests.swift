internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// What a data export writes comes back.
@Suite struct SheetRoundTripTests {
  /// The stores with a copy of their model: otherwise, the meaning of their tables is unknown.
  static let stores = RealStores.any.filter { store in
    guard let folder = try? TemporaryDirectory(),
      let path = try? RealStores.copy(store, to: folder),
      let model = try? ModelLoader.model(from: path)
    else { return false }
    return model.source != .inferred
  }

  @Test(arguments: stores)
  func everyStoreComesBackFromEveryFormat(_ store: RealStore) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: folder)
    var errors: Set<FindingCode> = []
    var verification = VerificationOptions()
    verification.environment = .inPlace
    try Verifier(options: verification).verify(path) {
      if $0.severity == .error { errors.insert($0.code) }
    }
    for format in DataFormat.allCases {
      let (tables, new) = (folder.file(format.rawValue), folder.file("\(format.rawValue).new"))
      let exporter = DataExporter(options: DataExportOptions(format: format))
      let summary = try exporter.write(path, to: tables)
      let importer = SheetImporter(options: SheetImportOptions(model: path))
      do {
        let imported = try importer.import(tables, to: new)
        #expect(imported.objectCount == summary.objectCount)
      } catch let error as CofferError {
        // Only what the store itself has is refused.
        #expect(error.code == .invalidTable && !errors.isEmpty, "\(error)")
        continue
      }
      #expect(errors == [], "a store with errors must not come back")
      try expectSameObjects(path, new)
      if format == .sqlite { continue }
      _ = try exporter.write(new, to: folder.file("again"))
      try expectSameFiles(tables, folder.file("again"))
      try FileManager.default.removeItem(atPath: folder.file("again"))
    }
  }

  /// The superentity, the entity or a subentity has a property that is called as the column of entities.
  @Test(
    arguments: [
      ["Person.entity"], ["Worker.entity"], ["Boss.entity"], ["Person.Entity"],
      ["Person.entity", "Boss.entity_2"],
    ], DataFormat.allCases)
  func objectsKeepTheirEntityWherePropertiesHaveItsName(
    _ properties: [String], _ format: DataFormat
  ) throws {
    let folder = try TemporaryDirectory()
    let entities = [("Person", nil), ("Worker", "Person"), ("Boss", "Worker")].map { name, parent in
      let attributes =
        (parent == nil ? ["name"] : [])
        + properties.filter { $0.hasPrefix("\(name).") }.map { String($0.split(separator: ".")[1]) }
      let parent = parent.map { " parentEntity=\"\($0)\"" } ?? ""
      return "<entity name=\"\(name)\"\(parent)>"
        + attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
        .joined() + "</entity>"
    }
    for name in ["Staff.xcdatamodel", "First"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    _ = try folder.write(
      """
      <?xml version="1.0"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities.joined())</model>
      """.utf8, to: "Staff.xcdatamodel/contents")
    let model = folder.file("Staff.xcdatamodel")
    for name in ["Person", "Worker", "Boss"] {
      let given = properties.filter { $0.hasPrefix("\(name).") || $0.hasPrefix("Person.") }
        .map { ",\"\($0.split(separator: ".")[1])\":\"Boss\"" }.joined()
      _ = try folder.write("{\"name\":\"x\"\(given)}\n".utf8, to: "First/\(name).ndjson")
    }
    let importer = SheetImporter(options: SheetImportOptions(model: model))
    _ = try importer.import(folder.file("First"), to: folder.file("one"))
    _ = try DataExporter(options: DataExportOptions(format: format))
      .write(folder.file("one"), to: folder.file("tables"))
    let summary = try importer.import(folder.file("tables"), to: folder.file("other"))
    #expect(summary.objectCount == 3)
    try expectSameObjects(folder.file("one"), folder.file("other"))
  }

  /// A to-one relationship is called like an entity with a property of the same name as another one's, so that the
  /// name of its column, `Worker.tags`, could also mean the relationship and a key.
  @Test(arguments: DataFormat.allCases)
  func aColumnWithTheNameOfAnEntityIsNoKeyOfARelationship(_ format: DataFormat) throws {
    let folder = try TemporaryDirectory()
    for name in ["Staff.xcdatamodel", "First"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    let tags = "<attribute name=\"tags\" optional=\"YES\" attributeType=\"String\"/>"
    _ = try folder.write(
      """
      <?xml version="1.0"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Company">\(tags)</entity>
        <entity name="Person"><relationship name="Worker" optional="YES" maxCount="1" \
      destinationEntity="Company"/></entity>
        <entity name="Boss" parentEntity="Person">\(tags)</entity>
        <entity name="Worker" parentEntity="Person">\(tags)</entity>
      </model>
      """.utf8, to: "Staff.xcdatamodel/contents")
    _ = try folder.write("id,tags\n1,c\n".utf8, to: "First/Company.csv")
    for (name, id) in [("Boss", 1), ("Worker", 2)] {
      _ = try folder.write("id,tags,Worker\n\(id),\(name),1\n".utf8, to: "First/\(name).csv")
    }
    let importer = SheetImporter(
      options: SheetImportOptions(model: folder.file("Staff.xcdatamodel")))
    _ = try importer.import(folder.file("First"), to: folder.file("one"))
    _ = try DataExporter(options: DataExportOptions(format: format))
      .write(folder.file("one"), to: folder.file("tables"))
    #expect(try importer.import(folder.file("tables"), to: folder.file("other")).objectCount == 3)
    try expectSameObjects(folder.file("one"), folder.file("other"))
  }

  @Test(arguments: DataFormat.allCases)
  func anInfiniteDateIsToldFromATextThatIsNoDate(_ format: DataFormat) throws {
    let sample = try SampleCopy(
      changedBy: "UPDATE ZPERSONENTITY SET ZBIRTHDAY = -9e999 WHERE Z_PK = 1")
    let tables = sample.folder.file("tables")
    let summary = try DataExporter(options: DataExportOptions(format: format))
      .write(sample.path, to: tables)
    #expect(summary.warnings.first { $0.code == .infiniteNumber }?.count == 1)
    let error = #expect(throws: CofferError.self) {
      try SheetImporter(options: SheetImportOptions(model: sample.path))
        .import(tables, to: sample.folder.file("other.sqlite"))
    }
    #expect(error?.code == .invalidTable)
    #expect(error?.detail == "the date is infinite")
  }

  /// No object, pair or external file differs; what belongs to the store and not to its objects may.
  private func expectSameObjects(_ one: String, _ other: String) throws {
    var options = ComparisonOptions(environment: .inPlace)
    options.matchesByObjectID = true
    options.ignoredAspects = [.history, .metadata, .counters, .uuid]
    var differences: [String] = []
    try StoreComparison(options: options).compare(one, other) { difference in
      switch difference {
      // Columns that the model does not explain are in no table.
      case .object(let object) where !object.properties.isEmpty:
        let isExplained = object.properties.contains { $0.subject != .column }
        if isExplained { differences.append("\(difference)") }
      case .object, .pair, .externalData: differences.append("\(difference)")
      case .store, .rows: break
      }
    }
    #expect(differences == [])
  }

  private func expectSameFiles(_ one: String, _ other: String) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: one).sorted()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: other).sorted() == names)
    for name in names {
      #expect(
        FileManager.default.contents(atPath: "\(one)/\(name)")
          == FileManager.default.contents(atPath: "\(other)/\(name)"), "\(name)")
    }
  }
}
