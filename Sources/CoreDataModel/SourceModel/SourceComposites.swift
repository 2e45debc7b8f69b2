/// The composites of a model, which a source names and defines once.
///
/// A compiled model has the elements at each attribute and no name, so composites are named after
/// the first attribute with the same elements.
struct SourceComposites {
  /// The composites in the order of their names, each with its elements.
  private(set) var all: [(name: String, elements: [AttributeDescription])] = []

  init(_ model: ManagedObjectModel) {
    for entity in model.entities {
      for attribute in entity.attributes { add(attribute) }
    }
    all.sort { codeUnitsAscend($0.name, $1.name) }
  }

  /// The name of an attribute's composite; nil if the attribute is not composite.
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
