internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

extension JSONLines {
  func difference(_ difference: Difference) throws {
    switch difference {
    case .store(let store):
      var object: JSONObject = [
        "about": .string(store.subject.rawValue), "change": .string(store.kind.rawValue),
        "name": .string(store.name),
      ]
      object.append("old", Self.text(store.oldValue))
      object.append("new", Self.text(store.newValue))
      try line("difference", object)
    case .object(let object): try show(object)
    case .pair(let pair):
      try line(
        "difference",
        [
          "about": .string("pair"), "change": .string(pair.kind.rawValue),
          "entity": .string(pair.entityName), "relationship": .string(pair.relationshipName),
          "source": pair.source.map { .integer($0) } ?? .null,
          "destination": pair.destination.map { .integer($0) } ?? .null,
        ])
    case .rows(let rows):
      try line(
        "difference",
        [
          "about": .string("rows"), "subject": .string(rows.subject.rawValue),
          "table": .string(rows.tableName), "added": Self.number(rows.added),
          "removed": Self.number(rows.removed), "changed": Self.number(rows.changed),
        ])
    case .externalData(let file):
      var object: JSONObject = [
        "about": .string("external-data"), "change": .string(file.kind.rawValue),
        "name": .string(file.name),
      ]
      object.append("oldBytes", file.oldByteCount.map(Self.number))
      object.append("newBytes", file.newByteCount.map(Self.number))
      try line("difference", object)
    }
  }

  private func show(_ difference: ObjectDifference) throws {
    var object: JSONObject = [
      "about": .string("object"), "change": .string(difference.kind.rawValue),
      "entity": .string(difference.objectID.entityName),
      "object": .string(difference.objectID.description),
    ]
    if difference.kind == .changed {
      object.append(
        "properties",
        .array(
          difference.properties.map { property in
            var object: JSONObject = [
              "kind": .string(property.subject.rawValue), "name": .string(property.name),
            ]
            object.append("old", Self.text(property.oldValue))
            object.append("new", Self.text(property.newValue))
            return .object(object)
          }))
    }
    try line("difference", object)
  }

  func compared(
    _ summary: ComparisonSummary, of files: (String, String), examples: DifferenceExamples,
    status: ExitStatus
  ) throws {
    for entity in summary.entities {
      try line("entity", Self.counts(entity.counts, ["name": .string(entity.entityName)]))
    }
    for relationship in summary.relationships {
      try line(
        "relationship",
        Self.counts(
          relationship.counts,
          [
            "entity": .string(relationship.entityName),
            "name": .string(relationship.relationshipName),
          ]))
    }
    let objects = summary.objects
    try self.summary(
      status,
      [
        "first": .string(files.0), "second": .string(files.1),
        "firstObjects": Self.number(summary.firstObjectCount),
        "secondObjects": Self.number(summary.secondObjectCount),
        "equal": .bool(summary.isEqual), "added": Self.number(objects.added),
        "removed": Self.number(objects.removed), "changed": Self.number(objects.changed),
        "pairs": Self.number(summary.pairs.total),
        "tables": Self.number(summary.tables.count),
        "externalData": Self.number(summary.externalData.total),
        "store": Self.number(summary.store.total),
      ])
  }

  private static func counts(
    _ counts: ComparisonSummary.Counts, _ names: JSONObject
  ) -> JSONObject {
    var object = names
    object.append("added", number(counts.added))
    object.append("removed", number(counts.removed))
    object.append("changed", number(counts.changed))
    return object
  }
}
