internal import CoreDataModel
internal import CoreDataStore

extension TableFilling {
  /// The place of a property of an object, for which its tables are read again.
  ///
  /// - Parameters:
  ///   - key: the primary key of the object.
  ///   - entities: the entities whose objects are in its table.
  ///   - column: the name of the property; nil for the object itself.
  /// - Returns: the place; the folder of the tables if no record is the object's.
  /// - Throws: `CofferError` if the tables cannot be read.
  package func place(
    ofKey key: Int64, entities: [String], _ column: String?
  ) throws -> TablePlace {
    let keyName = DataExportPlan.keyName(layout.model)
    let names = entities.exactStrings
    for table in read {
      guard case .objects(let entity) = table.file.subject, names.contains(ExactString(entity)),
        var place = try place(ofKey: key, in: table, keyName)
      else { continue }
      place.column = column
      return place
    }
    return TablePlace(path: folder, column: column)
  }

  private func place(
    ofKey key: Int64, in table: ReadTable, _ keyName: String
  ) throws -> TablePlace? {
    let file = table.file
    let named = options.keyNames.values.contains { $0.hasSameBytes(as: keyName) }
    func search(_ reader: some TableReader) throws -> TablePlace? {
      var highest = table.keyBefore
      while try reader.next() {
        let values = TableValues(buffer: reader.buffer, dateFormat: nil)
        let field = reader.record.fields.first {
          !named && reader.columns[$0.column].hasSameBytes(as: keyName)
        }
        let given = field.flatMap { try? values.key($0.value) }
        let own = given ?? highest &+ 1
        if own == key {
          return TablePlace(path: file.place, line: "\(reader.unit) \(reader.record.line)")
        }
        highest = max(highest, own)
      }
      return nil
    }
    return try file.read { try search($0) }
  }
}
