internal import CoreDataModel

/// The requested rules, by attribute.
struct AnonymizationRules {
  private var rules: [ExactString: ReplacementRule] = [:]

  /// Reads options by a model.
  ///
  /// - Parameters:
  ///   - options: the options.
  ///   - model: the model.
  ///   - path: the source, for errors.
  /// - Throws: ``CofferError``: `no-such-entity`, `no-such-property`.
  init(
    _ options: AnonymizationOptions, _ model: ManagedObjectModel, path: String
  ) throws(CofferError) {
    for (attribute, rule) in options.rules + options.kept.map({ ($0, .keep) }) {
      rules[ExactString(try Self.declared(attribute, model, path))] = rule
    }
  }

  /// The rule of an attribute, as `Entity.attribute`; nil for none.
  subscript(name: String) -> ReplacementRule? { rules[ExactString(name)] }

  /// Checks that a named attribute exists.
  private static func declared(
    _ text: String, _ model: ManagedObjectModel, _ path: String
  ) throws(CofferError) -> String {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw CofferError(
        .noSuchProperty, path: path, item: text, detail: "an attribute is named Entity.attribute")
    }
    guard model[parts[0]] != nil else {
      throw CofferError(
        .noSuchEntity, path: path, detail: parts[0],
        advice: .chooseEntity(model.entities.map(\.name)))
    }
    let names = parts[1].split(separator: ".").map(String.init)
    let declarer = model.lineage(of: parts[0]).first { entity in
      exists(names[...], among: entity.attributes)
    }
    guard let declarer else {
      throw CofferError(.noSuchProperty, path: path, item: text, detail: "no such attribute")
    }
    guard declarer.name.hasSameBytes(as: parts[0]) else {
      throw CofferError(
        .noSuchProperty, path: path, item: text,
        detail: "\(declarer.name) declares the attribute, for the objects of all its subentities",
        advice: .sentence("Name it \(declarer.name).\(parts[1])."))
    }
    return text
  }

  private static func exists(
    _ names: ArraySlice<String>, among attributes: [AttributeDescription]
  ) -> Bool {
    guard let name = names.first,
      let found = attributes.first(where: { $0.name.hasSameBytes(as: name) })
    else { return false }
    return names.count == 1 ? !found.isComposite : exists(names.dropFirst(), among: found.elements)
  }
}
