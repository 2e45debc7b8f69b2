internal import CofferKit
package import CoreDataModel
internal import Foundation
package import TestSupport

/// The model of the stores that tests merge, as a test knows it: with every kind of relationship and
/// delete rule.
package enum MergeModel {
  /// What a delete rule does with the objects at the other end.
  package enum Rule: String {
    case nullify = "Nullify"
    case cascade = "Cascade"
    case deny = "Deny"
  }

  /// A to-one relationship.
  package struct Link {
    package var name: Name
    package var entity: Name
    package var destination: Name
    /// Its own delete rule.
    package var rule = Rule.nullify
    /// The inverse; nil for none.
    package var inverse: Name?
    package var inverseRule = Rule.nullify
    /// Whether the inverse is to-one too.
    package var isOneToOne = false
  }

  package static let links = [
    Link(
      name: "parent", entity: "Folder", destination: "Folder", inverse: "children",
      inverseRule: .cascade),
    Link(
      name: "shelf", entity: "Folder", destination: "Shelf", inverse: "folders", inverseRule: .deny),
    Link(
      name: "folder", entity: "Note", destination: "Folder", inverse: "notes",
      inverseRule: .cascade),
    Link(name: "related", entity: "Note", destination: "Note"),
    Link(
      name: "cover", entity: "Note", destination: "Cover", rule: .cascade, inverse: "note",
      isOneToOne: true),
    Link(name: "next", entity: "Tag", destination: "Tag", inverse: "previous", isOneToOne: true),
  ]

  /// The entities without superentity.
  package static let roots: [Name] = ["Cover", "Folder", "Note", "Shelf", "Tag"]
  /// The attributes by entity, besides the text that identifies an object.
  package static let attributes: [Name: [Name]] = [
    "Cover": ["image"], "Folder": ["name"], "Note": ["count", "text"], "Shelf": ["name"],
    "Tag": ["code", "name"], "Task": ["count", "done", "text"],
  ]

  /// The entity whose table an entity's objects are in.
  package static func root(_ entity: Name) -> Name { entity == "Task" ? "Note" : entity }

  /// The to-one relationships of an entity.
  package static func links(of entity: Name) -> [Link] {
    links.filter { $0.entity == root(entity) }
  }

  /// A to-one relationship by its name.
  package static func link(_ name: Name) -> Link {
    links.first { $0.name == name } ?? Link(name: name, entity: "", destination: "")
  }

  private static func attribute(_ name: Name) -> String {
    switch name.text {
    case "code", "count", "done":
      "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"Integer 64\"/>"
    case "image":
      "<attribute name=\"image\" optional=\"YES\" attributeType=\"Binary\" "
        + "allowsExternalBinaryDataStorage=\"YES\"/>"
    default: "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
    }
  }

  private static func relationship(
    _ name: Name, _ rule: Rule, _ destination: Name, _ inverse: Name?, _ traits: String
  ) -> String {
    let back = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" optional=\"YES\" \(traits) "
      + "deletionRule=\"\(rule.rawValue)\" destinationEntity=\"\(destination)\" \(back)/>"
  }

  /// The model as Xcode has it.
  package static let text: String = {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>",
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">",
    ]
    for entity in roots {
      lines.append("<entity name=\"\(entity)\">")
      lines += (["uid"] + (attributes[entity] ?? [])).map(attribute)
      for link in links where link.entity == entity {
        lines.append(
          relationship(link.name, link.rule, link.destination, link.inverse, "maxCount=\"1\""))
      }
      for link in links where link.destination == entity {
        guard let inverse = link.inverse else { continue }
        let traits =
          (link.isOneToOne ? "maxCount=\"1\"" : "toMany=\"YES\"")
          + (inverse == "notes" ? " ordered=\"YES\"" : "")
        lines.append(relationship(inverse, link.inverseRule, link.entity, link.name, traits))
      }
      if entity == "Note" {
        lines.append(relationship("tags", .nullify, "Tag", "notes", "toMany=\"YES\""))
      }
      if entity == "Tag" {
        lines.append(relationship("notes", .nullify, "Note", "tags", "toMany=\"YES\""))
      }
      let unique = entity == "Tag" ? ["uid", "code"] : ["uid"]
      let constraints = unique.map {
        "<uniquenessConstraint><constraint value=\"\($0)\"/></uniquenessConstraint>"
      }
      lines.append(
        "<uniquenessConstraints>\(constraints.joined())</uniquenessConstraints></entity>")
    }
    lines.append(
      "<entity name=\"Task\" parentEntity=\"Note\">\(attribute("done"))</entity></model>")
    return lines.joined(separator: "\n")
  }()
}

extension MergeState {
  /// Creates a store without objects.
  package static func createEmptyStore(
    in directory: TemporaryDirectory, _ text: String = MergeModel.text
  ) throws -> String {
    let model = directory.file("Model.xcdatamodel")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    let path = directory.file("Empty.sqlite")
    try StoreCreator().create(model, at: path)
    return path
  }
}
