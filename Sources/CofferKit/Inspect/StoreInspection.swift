internal import CoreDataStore

struct StoreInspection {
  let store: PersistentStore
  init(_ store: PersistentStore) { self.store = store }
  func result() throws -> Inspection { fatalError() }
}
