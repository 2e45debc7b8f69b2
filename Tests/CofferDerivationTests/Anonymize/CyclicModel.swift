internal import CoreDataModel

/// A model whose objects can need and refer to each other in circles, as a test knows it.
///
/// Alpha and Beta need each other, as do Lock and Key, one to one. Nodes are a tree, a list and friends, and
/// leaves among them link to nodes; a Box needs nodes, a Label has none or two at least.
enum CyclicModel {
  /// A relationship.
  struct Relation {
    var name: String
    var entity: Name
    var destination: Name
    var inverse: Name?
    var isToMany = false
    var isRequired = false
    var traits = ""

    /// The name in options.
    var fullName: String { "\(entity).\(name)" }
    /// The relation in the other direction.
    var reverse: Relation? {
      relations.first {
        $0.name == inverse?.text && [destination, root(destination)].contains($0.entity)
      }
    }
  }

  static let relations = [
    Relation(
      name: "beta", entity: "Alpha", destination: "Beta", inverse: "alphas", isRequired: true),
    Relation(name: "betas", entity: "Alpha", destination: "Beta", inverse: "alpha", isToMany: true),
    Relation(name: "marks", entity: "Alpha", destination: "Mark", isToMany: true),
    Relation(name: "nodes", entity: "Alpha", destination: "Node", inverse: "alpha", isToMany: true),
    Relation(
      name: "alpha", entity: "Beta", destination: "Alpha", inverse: "betas", isRequired: true),
    Relation(name: "alphas", entity: "Beta", destination: "Alpha", inverse: "beta", isToMany: true),
    Relation(
      name: "nodes", entity: "Box", destination: "Node", inverse: "box", isToMany: true,
      isRequired: true, traits: "minCount=\"1\""),
    Relation(
      name: "lock", entity: "Key", destination: "Lock", inverse: "key", isRequired: true),
    Relation(
      name: "nodes", entity: "Label", destination: "Node", inverse: "labels", isToMany: true,
      traits: "minCount=\"2\""),
    Relation(name: "key", entity: "Lock", destination: "Key", inverse: "lock", isRequired: true),
    Relation(name: "node", entity: "Lock", destination: "Node"),
    Relation(name: "alpha", entity: "Node", destination: "Alpha", inverse: "nodes"),
    Relation(
      name: "backlinks", entity: "Node", destination: "Leaf", inverse: "links", isToMany: true),
    Relation(name: "box", entity: "Node", destination: "Box", inverse: "nodes"),
    Relation(
      name: "children", entity: "Node", destination: "Node", inverse: "parent", isToMany: true,
      traits: "ordered=\"YES\""),
    Relation(
      name: "friends", entity: "Node", destination: "Node", inverse: "friends", isToMany: true),
    Relation(
      name: "labels", entity: "Node", destination: "Label", inverse: "nodes", isToMany: true),
    Relation(
      name: "links", entity: "Leaf", destination: "Node", inverse: "backlinks", isToMany: true),
    Relation(name: "next", entity: "Node", destination: "Node", inverse: "previous"),
    Relation(name: "parent", entity: "Node", destination: "Node", inverse: "children"),
    Relation(name: "previous", entity: "Node", destination: "Node", inverse: "next"),
    Relation(name: "related", entity: "Leaf", destination: "Node"),
  ]

  /// The entities without superentity.
  static let roots = ["Alpha", "Beta", "Box", "Key", "Label", "Lock", "Mark", "Node"]

  /// The entity whose table an entity's objects are in.
  static func root(_ entity: Name) -> Name { entity == "Leaf" ? "Node" : entity }

  /// The relation of a name, such as `Node.parent`.
  static func relation(_ fullName: String) -> Relation? {
    relations.first { $0.fullName == fullName }
  }

  /// The model as Xcode has it.
  static let text: String = {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">",
    ]
    for entity in roots.map({ Name($0) }) + ["Leaf"] {
      let parent = root(entity) == entity ? "" : " parentEntity=\"\(root(entity))\""
      lines.append("<entity name=\"\(entity)\"\(parent)>")
      for relation in relations where relation.entity == entity {
        let count = relation.isToMany ? "toMany=\"YES\"" : "maxCount=\"1\""
        let back = relation.inverse.map {
          "inverseName=\"\($0)\" inverseEntity=\"\(relation.destination)\""
        }
        lines.append(
          "<relationship name=\"\(relation.name)\" \(relation.isRequired ? "" : "optional=\"YES\"") "
            + "\(count) \(relation.traits) deletionRule=\"Nullify\" "
            + "destinationEntity=\"\(relation.destination)\" \(back ?? "")/>")
      }
      lines.append("</entity>")
    }
    return (lines + ["</model>"]).joined(separator: "\n")
  }()
}
