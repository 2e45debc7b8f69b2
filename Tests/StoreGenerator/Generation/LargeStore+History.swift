internal import CoreDataModel

extension LargeStore {
  /// The keys of the items whose insertion the history records: the last ones, as a history is
  /// purged from its beginning.
  private var recordedItems: ClosedRange<Int> {
    max(1, counts.items - min(5000, max(10, counts.items / 20)))...counts.items
  }

  /// How many updates of an item the history records; its version is at least one more.
  func recordedUpdates(ofItem key: Int) -> Int {
    recordedItems.contains(key) && key % 3 == 0 ? 1 : 0
  }

  /// Records insertions, updates of a third, and deletions of items that are not there any more.
  func recordHistory() {
    let entities: [Int: Name] = [3: "NoteEntity", 4: "TodoEntity", 5: "RecurringTodoEntity"]
    var time = 7.9e8
    for first in stride(from: recordedItems.lowerBound, through: counts.items, by: 50) {
      let keys = first...min(first + 49, counts.items)
      let inserted = keys.map {
        HistoryChange(.insert, entities[kind(ofItem: $0)] ?? "", Int64($0))
      }
      builder.record(
        HistoryTransaction(at: time, author: "app", context: "import", inserted))
      let updated = keys.filter { recordedUpdates(ofItem: $0) > 0 }.map {
        HistoryChange(
          .update, entities[kind(ofItem: $0)] ?? "", Int64($0), properties: ["title", "modifiedAt"])
      }
      builder.record(HistoryTransaction(at: time + 1.5, process: "TodoWidget", updated))
      time += 60 + random.unit()
    }
    let deleted = (1...20).map { number in
      HistoryChange(
        .delete, "NoteEntity", Int64(counts.items + number),
        tombstones: [.blob(uuidBytes(&random))])
    }
    builder.record(HistoryTransaction(at: time, author: "app", deleted))
    builder.extraPrimaryKeys["ItemEntity"] = 20
  }
}
