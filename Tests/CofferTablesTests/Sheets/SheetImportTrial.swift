internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Tables that are written by hand, the store that is made of them, and questions to it.
struct SheetImportTrial {
  let folder: TemporaryDirectory
  var options: SheetImportOptions
  var store: String { folder.file("New.sqlite") }

  /// Begins with a model of authors, books, tags and passports.
  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.file("Library.xcdatamodel"), withIntermediateDirectories: true)
    _ = try folder.write(Self.model.utf8, to: "Library.xcdatamodel/contents")
    try FileManager.default.createDirectory(
      atPath: folder.file("Tables"), withIntermediateDirectories: true)
    options = SheetImportOptions(model: folder.file("Library.xcdatamodel"))
  }

  private static let model = """
    <?xml version="1.0"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Author">
        <attribute name="born" optional="YES" attributeType="Date"/>
        <attribute name="email" attributeType="String"/>
        <attribute name="name" optional="YES" attributeType="String" defaultValueString="nobody"/>
        <relationship name="books" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        <relationship name="passport" optional="YES" maxCount="1" \
    destinationEntity="Passport" inverseName="holder" inverseEntity="Passport"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="email"/>\
    </uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="Book">
        <attribute name="cover" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
        <attribute name="isOpen" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="mark" optional="YES" attributeType="UUID"/>
        <attribute name="pages" optional="YES" attributeType="Integer 16" minValueString="1"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="rating" optional="YES" attributeType="Float"/>
        <attribute name="reads" optional="YES" attributeType="Integer 64"/>
        <attribute name="title" attributeType="String"/>
        <attribute name="weight" optional="YES" attributeType="Double"/>
        <relationship name="author" optional="YES" maxCount="1" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        <relationship name="tags" optional="YES" toMany="YES" ordered="YES" \
    destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
      </entity>
      <entity name="Novel" parentEntity="Book">
        <attribute name="genre" optional="YES" attributeType="String"/>
      </entity>
      <entity name="Passport">
        <attribute name="number" optional="YES" attributeType="String"/>
        <relationship name="holder" optional="YES" maxCount="1" \
    destinationEntity="Author" inverseName="passport" inverseEntity="Author"/>
      </entity>
      <entity name="Tag">
        <attribute name="label" optional="YES" attributeType="String"/>
        <attribute name="shade" optional="YES" attributeType="Composite" composite="Shade"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" \
    inverseName="tags" inverseEntity="Book"/>
      </entity>
      <composite name="Shade">
        <attribute name="depth" optional="YES" attributeType="Integer 16" defaultValueString="1"/>
        <attribute name="hue" optional="YES" attributeType="String"/>
      </composite>
    </model>
    """

  /// Writes a file into the folder of tables.
  func write(_ text: String, to name: String) throws {
    _ = try folder.write(text.utf8, to: "Tables/\(name)")
  }

  /// Imports the folder of tables.
  @discardableResult
  func run() throws -> SheetImportSummary {
    try SheetImporter(options: options).import(folder.file("Tables"), to: store)
  }

  /// The error of an import, which must leave nothing.
  func failure() throws -> CofferError {
    let error = try #require(throws: CofferError.self) { try run() }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["Library.xcdatamodel", "Tables"])
    return error
  }

  /// The place of the error of an import, from the name of the file on.
  func faultyPlace() throws -> String {
    let error = try failure()
    #expect(error.code == .invalidTable, "\(error)")
    let name = error.place.path.split(separator: "/").last.map(String.init) ?? ""
    return [name, error.place.item].compactMap(\.self).joined(separator: ", ")
  }

  /// The rows of a query, as texts.
  func rows(_ query: String) throws -> [String] {
    try GeneratorDatabase(path: store).rows(query).map { row in
      row.map(Self.text).joined(separator: "|")
    }
  }

  private static func text(_ value: StoreValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
