internal import CoreDataModel

/// The words of a property list that are its structure: names of classes and of keys.
///
/// In a keyed archive these are strings like others, and only what refers to them tells.
struct StructureNames {
  private var words: Set<ExactString> = []

  /// Finds the words of a property list; none unless it is a keyed archive.
  init(of list: PropertyListValue) {
    guard let archiver = list["$archiver"]?.stringValue, let objects = list["$objects"]?.elements
    else { return }
    words = [ExactString(archiver), ExactString("$null")]
    for object in objects {
      if let name = object["$classname"]?.stringValue { words.insert(ExactString(name)) }
      for name in object["$classes"]?.elements ?? [] {
        if let name = name.stringValue { words.insert(ExactString(name)) }
      }
      for key in object["NS.keys"]?.elements ?? [] {
        guard case .uid(let number) = key, number < UInt64(objects.count),
          let name = objects[Int(number)].stringValue, Self.isName(name)
        else { continue }
        words.insert(ExactString(name))
      }
    }
  }

  /// Whether a string is such a word.
  func contains(_ text: String) -> Bool { words.contains(ExactString(text)) }

  /// Whether the key of a dictionary is the name of something in a program, and not a text of someone.
  static func isName(_ key: String) -> Bool {
    key.utf8.count <= 64
      && key.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      } && UUIDText.bytes(key) == nil
      && !key.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
