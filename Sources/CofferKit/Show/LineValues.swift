internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation

/// Turns the members of a line into values to be shown.
///
/// Source: archive-format, section 7.
struct LineValues {
  /// Values above this many bytes are not looked into.
  private static let treeLimit = 1 << 20

  /// The values of the part that stand out of line.
  let blobs: ContiguousArray<UInt8>

  /// The attributes of an object of an entity, in ascending order of names.
  func attributes(of line: ObjectLine, _ model: ManagedObjectModel) -> [ShownAttribute] {
    model.allAttributes(of: line.entityName).filter { !$0.isTransient }
      .map { ShownAttribute(name: $0.name, value: value(line[$0.name], $0)) }
      .sorted { codeUnitsAscend($0.name, $1.name) }
  }

  /// The value of an attribute.
  func value(_ json: JSONValue?, _ attribute: AttributeDescription) -> ShownValue {
    switch json {
    case nil, .null: return .none
    case .bool(let value): return .bool(value)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .string(let text): return self.text(text, attribute)
    case .array: return .none
    case .object(let object):
      if attribute.isComposite { return composite(object, attribute) }
      return tagged(object, attribute)
    }
  }

  private func composite(_ object: JSONObject, _ attribute: AttributeDescription) -> ShownValue {
    let elements = attribute.elements.map {
      ShownAttribute(name: $0.name, value: value(object[LineKey.escaped($0.name)], $0))
    }
    return .composite(
      elements.filter { $0.value != .none }.sorted { codeUnitsAscend($0.name, $1.name) })
  }

  private func text(_ text: String, _ attribute: AttributeDescription) -> ShownValue {
    switch attribute.type {
    case .date: return .date(text)
    case .binary, .transformable:
      guard let data = Data(base64Encoded: text) else { return .text(text) }
      return bytes(Array(data), attribute)
    default: return .text(text)
    }
  }

  private func tagged(_ object: JSONObject, _ attribute: AttributeDescription) -> ShownValue {
    guard let member = object.members.first else { return .none }
    switch (member.key, member.value) {
    case ("$integer", .integer(let number)): return .integer(number)
    case ("$real", .real(let number)): return .real(number)
    case ("$real", .string(let name)), ("$text", .string(let name)): return .text(name)
    case ("$external", .string(let name)): return .file(name)
    case ("$text64", .string(let text)), ("$blob", .string(let text)):
      guard let data = Data(base64Encoded: text) else { return .none }
      return bytes(Array(data), attribute)
    case (_, .array(let reference)): return elsewhere(reference, attribute)
    default: return .none
    }
  }

  /// A value that does not stand in its line.
  private func elsewhere(
    _ reference: [JSONValue], _ attribute: AttributeDescription
  ) -> ShownValue {
    guard reference.count == 2, case .integer(let size) = reference[1],
      let count = Int(exactly: size), count >= 0
    else { return .none }
    guard case .integer(let start) = reference[0], let start = Int(exactly: start), start >= 0,
      start <= blobs.count, count <= blobs.count - start
    else { return .data(count: count) }
    return bytes(Array(blobs[start..<start + count]), attribute)
  }

  private func bytes(_ bytes: [UInt8], _ attribute: AttributeDescription) -> ShownValue {
    guard attribute.type == .transformable || attribute.type == .binary,
      bytes.count <= Self.treeLimit, bytes.starts(with: Array("bplist00".utf8)),
      var archive = try? KeyedArchive(bytes), let tree = try? archive.value(of: archive.root)
    else { return .data(count: bytes.count) }
    return .tree(tree)
  }
}
