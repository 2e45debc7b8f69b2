/// The composites of a model, which a source gives names and states once.
///
/// A compiled model holds the elements at each attribute and no name: composites are named after the
/// first attribute that has their elements.
struct SourceComposites {
  /// The composites in the order of their names, each with its elements.
  private(set) var all: [(name: String, elements: [AttributeDescription])] = []

  init(_ model: ManagedObjectModel) {
    for entity in model.entities {
      for attribute in entity.attributes { add(attribute) }
    }
    all.sort { codeUnitsAscend($0.name, $1.name) }
  }

  /// The name of the composite that an attribute is of; nil for an attribute that is none.
  func name(of attribute: AttributeDescription) -> String? {
    all.first { $0.elements == attribute.elements }?.name
  }

  private mutating func add(_ attribute: AttributeDescription) {
    guard attribute.type == .composite, name(of: attribute) == nil else { return }
    let name = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
    var unique = name
    var number = 2
    while all.contains(where: { $0.name == unique }) {
      unique = "\(name)\(number)"
      number += 1
    }
    all.append((unique, attribute.elements))
    for element in attribute.elements { add(element) }
  }
}
