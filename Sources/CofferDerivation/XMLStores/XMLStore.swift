package import CoreDataModel
internal import Foundation

/// The content of a Core Data XML store, as its file has it.
///
/// An XML store has no copy of its model: names of entities are in capitals, names of properties in small
/// letters, and values are texts.
package struct XMLStore: Sendable, Equatable {
  /// An object.
  package struct Object: Sendable, Equatable {
    /// The name of its entity, in capitals.
    package var type: Name
    /// Its ID, such as `z102`.
    package var id: Name
    /// Its attributes that have a value.
    package var attributes: [Attribute]
    /// Its relationships.
    package var relationships: [Relationship]
    /// The line of the file where its tag ends.
    package var line = 0

    /// The object, or one of its properties, for errors: `z102.name (line 27)`.
    func place(_ property: Name? = nil) -> String {
      "\(id)\(property.map { ".\($0)" } ?? "") (line \(line))"
    }

    /// The text of an attribute; nil if it has no value.
    package func text(_ name: Name) -> String? { attributes.first { $0.name == name }?.text }

    /// The bytes of a text in base64; nil for any other text.
    ///
    /// Its lines are broken and indented, so white space is skipped.
    static func bytes(ofBase64 text: String) -> [UInt8]? {
      let code = Data(text.utf8.filter { $0 > 0x20 })
      // Foundation reads padding in the middle too.
      guard let bytes = Data(base64Encoded: code), bytes.base64EncodedData() == code else {
        return nil
      }
      return [UInt8](bytes)
    }

    /// The IDs that a relationship refers to, in their order.
    package func ids(_ name: Name) -> [Name] {
      relationships.first { $0.name == name }?.ids ?? []
    }
  }

  /// The value of an attribute.
  package struct Attribute: Sendable, Equatable {
    /// The name, in small letters.
    package var name: Name
    /// The type that the file states, such as `int16`.
    package var type: String
    /// The value.
    package var text: String
  }

  /// The destinations of a relationship.
  package struct Relationship: Sendable, Equatable {
    /// The name, in small letters.
    package var name: Name
    /// The name of the destination's entity, in capitals.
    package var destination: Name
    /// The IDs of the objects, in their order.
    package var ids: [Name]
  }

  /// The UUID; nil if the file states none.
  package var uuid: String?
  /// The metadata, which contain the version hashes.
  package var metadata: [PropertyListValue.Entry]
  /// The objects, in the order of the file.
  package var objects: [Object]
}
