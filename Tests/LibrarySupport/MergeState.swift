package import CoreDataModel
package import StoreGenerator

/// The objects of a small store, as values: what an app would have in memory.
///
/// Objects are distinguished by a text that never changes, not by their keys.
package struct MergeState: Equatable {
  /// An object.
  package struct Item: Equatable {
    package var entity: Name
    package var key: Int64
    package var values: [Name: StoreValue] = [:]
    /// The destinations of to-one relationships by name; of one that is to-one on both sides, from
    /// one of them.
    package var links: [Name: String] = [:]
    /// The name of the file with the image, if it has one.
    package var file: String?

    package init(
      entity: Name, key: Int64, values: [Name: StoreValue] = [:], links: [Name: String] = [:],
      file: String? = nil
    ) {
      self.entity = entity
      self.key = key
      self.values = values
      self.links = links
      self.file = file
    }
  }

  /// The objects by their texts.
  package var items: [String: Item] = [:]
  /// The pairs of notes and tags.
  package var pairs: Set<[String]> = []
  /// The notes of each folder in order.
  package var lists: [String: [String]] = [:]
  /// The highest keys that were given, by root entity.
  package var highest: [Name: Int64] = [:]

  package init() {}

  /// The objects of an entity and its subentities, in the order of their keys.
  package func names(_ entity: Name) -> [String] {
    items.filter { $0.value.entity == entity || MergeModel.root($0.value.entity) == entity }
      .sorted { $0.value.key < $1.value.key }.map(\.key)
  }

  /// The objects whose to-one relationship leads to an object.
  package func holders(_ link: Name, of uid: String) -> [String] {
    items.filter { $0.value.links[link] == uid }.map(\.key).sorted()
  }

  /// The objects without their keys and the names of their files.
  package var content: [String: Item] {
    items.mapValues { Item(entity: $0.entity, key: 0, values: $0.values, links: $0.links) }
  }

  // MARK: Changes

  /// Adds an object with the next key.
  package mutating func add(_ uid: String, _ entity: Name) {
    highest[MergeModel.root(entity), default: 0] += 1
    items[uid] = Item(entity: entity, key: highest[MergeModel.root(entity)] ?? 0)
    if entity == "Folder" { lists[uid] = [] }
  }

  /// Lets a note be the last one of a folder.
  package mutating func move(_ note: String, to folder: String?) {
    if let old = items[note]?.links["folder"] { lists[old]?.removeAll { $0 == note } }
    items[note]?.links["folder"] = folder
    if let folder { lists[folder, default: []].append(note) }
  }

  /// Lets a to-one relationship lead to an object, which loses another partner if it can have but one.
  package mutating func link(_ uid: String, _ name: Name, to destination: String?) {
    if name == "folder" { return move(uid, to: destination) }
    if MergeModel.link(name).isOneToOne, let destination {
      for holder in holders(name, of: destination) { items[holder]?.links[name] = nil }
    }
    items[uid]?.links[name] = destination
  }

  /// Deletes an object by the delete rules; the caller handles denials.
  package mutating func delete(_ uid: String) {
    guard let item = items.removeValue(forKey: uid) else { return }
    if let folder = item.links["folder"] { lists[folder]?.removeAll { $0 == uid } }
    lists[uid] = nil
    pairs = pairs.filter { !$0.contains(uid) }
    for (name, destination) in item.links where MergeModel.link(name).rule == .cascade {
      delete(destination)
    }
    for link in MergeModel.links {
      for holder in holders(link.name, of: uid) {
        items[holder]?.links[link.name] = nil
        if link.inverseRule == .cascade { delete(holder) }
      }
    }
  }
}
