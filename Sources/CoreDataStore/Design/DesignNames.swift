internal import CoreDataModel

/// The names of a model that a schema can contain without quotes.
enum DesignNames {
  /// The entities and properties whose names would need quotes in a statement, which Core Data
  /// never writes.
  static func unusable(in model: ManagedObjectModel) -> [UndecidedChoice] {
    model.entities.flatMap { entity -> [UndecidedChoice] in
      var names: [String] = isUsable(entity.name) ? [] : [""]
      names += entity.attributes.filter { !isUsable($0) }.map(\.name)
      names += entity.relationships.map(\.name).filter { !isUsable($0) }
      return names.map { name in
        let property = PropertyReference(entity: entity.name, property: name)
        return UndecidedChoice(
          kind: .unusableName, properties: [property],
          text:
            "how to write the name of \(UndecidedChoice.list([property])) in the schema, where no "
            + "statement can contain it unchanged")
      }
    }
  }

  private static func isUsable(_ attribute: AttributeDescription) -> Bool {
    guard !attribute.isTransient else { return true }
    return isUsable(attribute.name) && attribute.elements.allSatisfy { isUsable($0) }
  }

  /// Whether a name consists of what SQLite takes for a name: letters, digits, underscores, dollar
  /// signs, and anything beyond ASCII.
  static func isUsable(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
          true
        default: false
        }
      }
  }
}
