internal import CofferTables
internal import CoreDataModel
internal import CoreDataStore

/// The objects of an XML store, by entity, with their keys.
struct XMLObjects {
  private var groups: [(entity: Name, objects: [XMLStore.Object])] = []
  private let layout: StoreLayout
  private let keys: [Name: Int64]
  private let rounding: XMLRounding

  /// Finds the entities of objects, whose names are in capitals in the file.
  ///
  /// An object keeps the number of its ID as its key: `z102` has key 102.
  ///
  /// - Throws: ``CofferError``: `model-mismatch` for an object of no entity, or of two whose names differ
  ///   only in case; `damaged-store` for an ID without a number.
  init(
    _ store: XMLStore, _ layout: StoreLayout, _ rounding: XMLRounding
  ) throws(CofferError) {
    self.layout = layout
    self.rounding = rounding
    let entities = FoldedNames(layout.model.entities.map(\.name))
    var positions: [Name: Int] = [:]
    var keys: [Name: Int64] = [:]
    for object in store.objects {
      let names = entities.names(for: object.type)
      guard let name = names.first, names.count == 1 else {
        throw CofferError(
          .modelMismatch, item: object.place(),
          detail: names.isEmpty
            ? "the model has no entity \(object.type)"
            : "\(object.type) may be \(names[0]) or \(names[1])", advice: .giveModel)
      }
      if positions[name] == nil {
        positions[name] = groups.count
        groups.append((name, []))
      }
      if let position = positions[name] { groups[position].objects.append(object) }
      guard let key = Self.key(object.id) else {
        throw CofferError(
          .damagedStore, item: object.place(),
          detail: "the object ID is not z with a number from 1 to \(Self.largestKey)")
      }
      keys[object.id] = key
    }
    self.keys = keys
  }

  private static let largestKey: Int64 = 1 << 40

  /// The number of an ID; nil for one that Core Data would not write.
  private static func key(_ id: Name) -> Int64? {
    guard id.text.first == "z", let number = Int64(id.text.dropFirst()), number > 0,
      number <= largestKey, "z\(number)" == id.text
    else { return nil }
    return number
  }

  var tables: [SheetFile] {
    groups.map { group in
      SheetFile(
        path: group.entity.text, place: group.entity.text,
        format: .made { XMLObjectTable(group.objects, of: group.entity, keys, layout, rounding) },
        subject: .objects(group.entity))
    }
  }
}

/// The numbers of an XML store with more digits than an SQLite store keeps.
final class XMLRounding {
  /// How many there are.
  private(set) var count = 0
  /// The first of them, for people.
  private(set) var first = ""

  /// A sentence about them; nil for none.
  var note: String? {
    guard count > 0 else { return nil }
    let what = count == 1 ? "1 decimal number is" : "\(count) decimal numbers are"
    return
      "\(what) rounded, because an SQLite store keeps about 16 digits of a decimal number; the first is \(first)"
  }

  func add(_ place: String) {
    if count == 0 { first = place }
    count += 1
  }
}
