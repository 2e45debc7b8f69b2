internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator

extension MergeState {
  /// A base, and two states that come from it.
  static func random(seed: UInt64) -> (base: MergeState, store: MergeState, other: MergeState) {
    var random = SeededGenerator(seed: seed)
    var base = MergeState()
    base.change(20 + random.below(40), "b", &random)
    var (store, other) = (base, base)
    // Few changes seldom contradict each other, many nearly always.
    store.change(1 + random.below(seed % 3 == 0 ? 20 : 5), "s", &random)
    other.change(1 + random.below(seed % 3 == 0 ? 20 : 5), "o", &random)
    return (base, store, other)
  }

  /// Makes random changes; new objects get names with a prefix, or names that both sides may give.
  mutating func change(_ count: Int, _ prefix: String, _ random: inout SeededGenerator) {
    for number in 0..<count {
      if random.chance(0.4) {
        changeObjects(prefix, number, &random)
      } else if random.chance(0.5) {
        changeLinks(&random)
      } else {
        changeValues(prefix, number, &random)
      }
    }
  }

  private func any(_ entity: Name, _ random: inout SeededGenerator) -> String? {
    let names = names(entity)
    return names.isEmpty ? nil : names[random.below(names.count)]
  }

  private mutating func changeObjects(
    _ prefix: String, _ number: Int, _ random: inout SeededGenerator
  ) {
    switch random.below(15) {
    case 0...8: insert(prefix, number, &random)
    case 9, 10: if let note = any("Note", &random) { delete(note) }
    case 11: if random.chance(0.4), let folder = any("Folder", &random) { delete(folder) }
    case 12: if random.chance(0.5), let tag = any("Tag", &random) { delete(tag) }
    case 13: if let cover = any("Cover", &random) { delete(cover) }
    default:
      if let shelf = any("Shelf", &random), holders("shelf", of: shelf).isEmpty { delete(shelf) }
    }
  }

  private mutating func insert(_ prefix: String, _ number: Int, _ random: inout SeededGenerator) {
    let entity = ["Folder", "Note", "Note", "Task", "Tag", "Cover", "Shelf"][random.below(7)]
    // Both sides may add the same object; the base has none of these.
    let isShared = prefix != "b" && random.chance(0.2)
    let name = isShared ? "both \(entity) \(random.below(2))" : "\(prefix)\(number)"
    guard items[name] == nil else { return }
    add(name, Name(entity))
    switch entity {
    case "Folder":
      if random.chance(0.5), let folder = any("Folder", &random), folder != name {
        link(name, "parent", to: folder)
      }
      if random.chance(0.5) { link(name, "shelf", to: any("Shelf", &random)) }
    case "Note", "Task":
      items[name]?.values["text"] = .string("new")
      move(name, to: any("Folder", &random))
      if random.chance(0.3), let tag = any("Tag", &random) { pairs.insert([name, tag]) }
      if random.chance(0.3) { link(name, "cover", to: any("Cover", &random)) }
    case "Cover":
      if random.chance(0.7), let note = any("Note", &random) { link(note, "cover", to: name) }
      setImage(of: name, prefix, number, &random)
    default: break
    }
  }

  private mutating func changeLinks(_ random: inout SeededGenerator) {
    func target(_ entity: Name, besides uid: String?, _ random: inout SeededGenerator) -> String? {
      guard random.chance(0.8), let found = any(entity, &random) else { return nil }
      return found == uid ? nil : found
    }
    switch random.below(10) {
    case 0, 1:
      if let note = any("Note", &random) {
        move(note, to: target("Folder", besides: nil, &random))
      }
    case 2, 3:
      if let note = any("Note", &random), let tag = any("Tag", &random) {
        if pairs.remove([note, tag]) == nil { pairs.insert([note, tag]) }
      }
    case 4:
      if let folder = any("Folder", &random), var list = lists[folder], list.count > 1 {
        let moved = list.remove(at: random.below(list.count))
        list.insert(moved, at: random.below(list.count + 1))
        lists[folder] = list
      }
    default:
      let link = MergeModel.links[random.below(MergeModel.links.count)]
      guard let uid = any(link.entity, &random) else { return }
      self.link(uid, link.name, to: target(link.destination, besides: uid, &random))
    }
  }

  private mutating func changeValues(
    _ prefix: String, _ number: Int, _ random: inout SeededGenerator
  ) {
    let all = items.keys.sorted()
    guard !all.isEmpty else { return }
    let uid = all[random.below(all.count)]
    let attributes = MergeModel.attributes[items[uid]?.entity ?? ""] ?? []
    guard !attributes.isEmpty else { return }
    let attribute = attributes[random.below(attributes.count)]
    switch attribute {
    case "image": setImage(of: uid, prefix, number, &random)
    case "code":
      let code = StoreValue.integer(Int64(random.below(12)))
      let isTaken = items.values.contains { $0.values["code"] == code }
      items[uid]?.values["code"] = isTaken ? nil : code
    case "count", "done": items[uid]?.values[attribute] = .integer(Int64(random.below(4)))
    default: items[uid]?.values[attribute] = .string("value \(random.below(4))")
    }
  }

  /// Gives a cover an image, in a file of its own or not: equal images need not have equal names.
  private mutating func setImage(
    of uid: String, _ prefix: String, _ number: Int, _ random: inout SeededGenerator
  ) {
    let byte = UInt8(random.below(4))
    items[uid]?.values["image"] = .blob([UInt8](repeating: byte, count: 20))
    let digits = (0..<12).map { _ in String("0123456789ABCDEF".randomElement(using: &random) ?? "0")
    }
    items[uid]?.file =
      random.chance(0.5) ? "5A0E4C36-7B1D-4E55-9F00-\(digits.joined())" : nil
  }
}
