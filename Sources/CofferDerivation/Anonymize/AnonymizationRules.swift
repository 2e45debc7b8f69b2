internal import CoreDataModel

/// The requested rules, by attribute.
struct AnonymizationRules {
  private var rules: [Name: ReplacementRule] = [:]

  /// Reads options by a model.
  init(
    _ options: AnonymizationOptions, _ model: ManagedObjectModel, path: String
  ) throws(CofferError) {
    for (attribute, rule) in options.rules + options.kept.map({ ($0, .keep) }) {
      rules[try Self.declared(attribute, model, path)] = rule
    }
  }

  /// The rule of an attribute, as `Entity.attribute`; nil for none.
  subscript(name: Name) -> ReplacementRule? { rules[name] }

  /// Checks that a named attribute exists.
  private static func declared(
    _ name: Name, _ model: ManagedObjectModel, _ path: String
  ) throws(CofferError) -> Name {
    let parts = name.text.split(separator: ".", maxSplits: 1).map { Name(String($0)) }
    guard parts.count == 2 else {
      throw CofferError(
        .noSuchProperty, path: path, item: name.text,
        detail: "an attribute is named Entity.attribute")
    }
    guard model[parts[0]] != nil else {
      throw CofferError(
        .noSuchEntity, path: path, detail: parts[0].text,
        advice: .chooseEntity(model.entities.map(\.name)))
    }
    let names = Name.path(parts[1].text)
    let declarer = model.lineage(of: parts[0]).first { entity in
      exists(names[...], among: entity.attributes)
    }
    guard let declarer else {
      throw CofferError(.noSuchProperty, path: path, item: name.text, detail: "no such attribute")
    }
    guard declarer.name == parts[0] else {
      throw CofferError(
        .noSuchProperty, path: path, item: name.text,
        detail: "\(declarer.name) declares the attribute, for the objects of all its subentities",
        advice: .sentence("Name it \(declarer.name).\(parts[1])."))
    }
    return name
  }

  private static func exists(
    _ names: ArraySlice<Name>, among attributes: [AttributeDescription]
  ) -> Bool {
    guard let name = names.first,
      let found = attributes.first(where: { $0.name == name })
    else { return false }
    return names.count == 1 ? !found.isComposite : exists(names.dropFirst(), among: found.elements)
  }
}
