package import CoreDataModel

/// A model that a mapping model may be for.
package struct MappedVersion {
  /// The name of the version; if the model is not a version, the name to show instead.
  package var name: String
  /// The model.
  package var model: ManagedObjectModel
  /// Whether the name is one of several versions.
  package var isVersion = true

  /// Creates the model of a version.
  package init(name: String, model: ManagedObjectModel, isVersion: Bool = true) {
    self.name = name
    self.model = model
    self.isVersion = isVersion
  }
}

/// A mapping model that is to be carried out on stores of one model.
package struct CustomMapping {
  /// The name of its file.
  package var name: String
  var path = ""
  var model: MappingModel
  /// The classes of the app that are treated like the standard one.
  var defaultPolicies: Set<String> = []

  var carried: [MappingModel.Entity] {
    model.entities.filter { $0.sourceName != nil && $0.destinationName != nil }
  }

  /// Whether it is made for two versions: every entity that it maps has the version hash that its copy has.
  ///
  /// Core Data finds a mapping model in this way. Xcode's form of the copies is not read; instead, the versions
  /// must have the names that the file states.
  func fits(_ old: MappedVersion, _ new: MappedVersion) -> Bool {
    let (sources, destinations) = mapped
    return sources.allSatisfy { old.model[$0] != nil }
      && destinations.allSatisfy { new.model[$0] != nil } && objection(old, new) == nil
  }

  /// The entities of the old and the new model that it maps.
  private var mapped: (old: [Name], new: [Name]) {
    (model.entities.compactMap(\.sourceName), model.entities.compactMap(\.destinationName))
  }

  /// Why it is not for two versions, as a clause; nil if it is, or if nothing in the file says otherwise.
  ///
  /// A model that is no version of several has no name to compare. Since Xcode lists every attribute of the new
  /// entity in an entity mapping, one that lacks an attribute is for another version.
  func objection(_ old: MappedVersion, _ new: MappedVersion) -> String? {
    if let text = difference(old, model.source, mapped.old, "old")
      ?? difference(new, model.destination, mapped.new, "new")
    {
      return text
    }
    let from = model.source == nil ? model.sourcePath.map { Self.versionName($0) } : nil
    let to = model.destination == nil ? model.destinationPath.map { Self.versionName($0) } : nil
    let isOther =
      old.isVersion && from != nil && from != old.name
      || new.isVersion && to != nil && to != new.name
    if isOther { return "it is for \(from ?? "another version") to \(to ?? "another version")" }
    guard model.destination == nil, !new.isVersion, to != new.name else { return nil }
    return missingAttribute(of: new.model).map { "it has no mapping of the attribute \($0)" }
  }

  /// How a copy in the file differs from a model in the entities that are mapped; nil if it does not.
  private func difference(
    _ version: MappedVersion, _ own: ManagedObjectModel?, _ names: [Name], _ side: String
  ) -> String? {
    guard let own else { return nil }
    let model = version.model
    let known = names.filter { own[$0] != nil || model[$0] != nil }
    if let name = known.first(where: { own[$0] == nil || model[$0] == nil }) {
      return "only one of \(version.name) and its copy of the \(side) model has the entity \(name)"
    }
    let mapped = Set(known.flatMap { model.lineage(of: $0).map(\.name) })
    return ModelDifference(of: own, and: model, scope: .versionHash).changes
      .first { mapped.contains($0.entityName) }
      .map { "its copy of the \(side) model differs from \(version.name) in \($0.entityName)" }
  }

  /// An attribute of a new entity that an entity mapping does not list.
  private func missingAttribute(of new: ManagedObjectModel) -> String? {
    for rule in model.entities {
      guard let name = rule.destinationName, rule.sourceName != nil else { continue }
      let listed = Set(rule.attributes.map(\.name))
      let missing = new.allAttributes(of: name).first {
        !$0.isTransient && !$0.isDerived && !listed.contains($0.name)
      }
      if let missing { return "\(name).\(missing.name)" }
    }
    return nil
  }

  /// The name of the version at a path: `Trips 2` of `App/Trips.xcdatamodeld/Trips 2.xcdatamodel`.
  static func versionName(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(
      name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    )
  }
}
