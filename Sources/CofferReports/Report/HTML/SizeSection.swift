internal import CofferCore
internal import CoreDataModel

/// The number of objects, and the use of the bytes.
struct SizeSection: HTMLSection {
  let report: StoreReport

  let identifier = "size"
  let title = "Objects and bytes"

  func write(to page: inout HTMLText) {
    let used = report.entities.filter { $0.objectCount > 0 || $0.byteCount > 0 }
    guard !used.isEmpty else {
      page.element("p", ["class": "lead"], text: "There are no objects.")
      storage(&page)
      return
    }
    let objects = QuantityText.count(report.inspection.objectCount, "object")
    page.element(
      "p", ["class": "lead"],
      text: "\(objects) with \(QuantityText.bytes(report.valueByteCount)) of values in their rows. "
        + "Each object counts for its own entity only.")
    entities(used, &page)
    attributes(&page)
    storage(&page)
  }

  private func entities(_ used: [EntitySize], _ page: inout HTMLText) {
    let sorted = used.sorted { left, right in
      left.objectCount != right.objectCount
        ? left.objectCount > right.objectCount : left.byteCount > right.byteCount
    }
    let most = sorted.first?.objectCount ?? 0
    let largest = sorted.map(\.byteCount).max() ?? 0
    DataTable(
      caption: "Objects and bytes of each entity",
      columns: [("Entity", .text), ("Objects", .bar), ("Values", .bar), ("Per object", .number)],
      rows: sorted.map { entity in
        [
          entity.name.isEmpty ? .text("unknown entity") : .name(entity.name.text),
          DataTable.count(entity.objectCount, of: most),
          DataTable.bytes(entity.byteCount, of: largest),
          entity.objectCount > 0
            ? DataTable.bytes(entity.byteCount / entity.objectCount) : .text("–"),
        ]
      }
    ).write(to: &page)
    let empty = report.entities.filter { $0.objectCount == 0 && $0.byteCount == 0 }
    guard !empty.isEmpty else { return }
    page.fold("\(QuantityText.count(empty.count, "entity", "entities")) without objects") {
      $0.names(empty.map(\.name.text))
    }
  }

  private func attributes(_ page: inout HTMLText) {
    let sorted = report.attributes.filter { $0.byteCount > 0 }
      .enumerated().sorted { left, right in
        let (one, other) = (left.element.byteCount, right.element.byteCount)
        return one != other ? one > other : left.offset < right.offset
      }.map(\.element)
    guard !sorted.isEmpty else { return }
    page.element("h3", text: "Attributes")
    let largest = sorted.first?.byteCount ?? 0
    DataTable(
      caption: "The attributes with the most bytes", hidesCaption: true,
      columns: [("Attribute", .text), ("Type", .text), ("Values", .bar), ("Not empty", .bar)],
      rows: sorted.map { attribute in
        [
          .name("\(attribute.entityName).\(attribute.name)"), .text(attribute.type.name),
          DataTable.bytes(attribute.byteCount, of: largest),
          DataTable.share(attribute.valueCount, of: attribute.ownerCount),
        ]
      }
    ).write(to: &page)
  }

  private func storage(_ page: inout HTMLText) {
    let parts = report.parts
    guard !parts.isEmpty else { return }
    let isArchive = report.inspection.kind == .archive
    page.element("h3", text: isArchive ? "Bytes of the archive" : "Bytes of the database")
    page.element(
      "p", ["class": "lead"],
      text: isArchive
        ? "The size of each part, compressed and uncompressed."
        : "The pages of each table, including its indexes and free space.")
    let largest = parts.first?.storedByteCount ?? 0
    DataTable(
      caption: "The largest parts", hidesCaption: true,
      columns: [
        ("Part", .text), ("Content", .text), (isArchive ? "Compressed" : "Pages", .bar),
        (isArchive ? "Uncompressed" : "Of these, indexes", .number),
      ],
      rows: parts.map { part in
        [
          .name(part.name), .text(part.kind.words),
          DataTable.bytes(part.storedByteCount, of: largest),
          DataTable.bytes((isArchive ? part.plainByteCount : part.indexByteCount) ?? 0),
        ]
      }
    ).write(to: &page)
  }
}

extension StoragePart.Kind {
  /// The content of a part of this kind, in words.
  fileprivate var words: String {
    switch self {
    case .objects: "objects"
    case .pairs: "pairs"
    case .history: "persistent history"
    case .cloudKit: "CloudKit mirroring"
    case .externalData: "files"
    case .administration: "system tables"
    case .unknown: "unknown"
    }
  }
}
