internal import CofferCore
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A page that has lost rows without an error of SQLite is found before rows are read.
@Suite struct PageAccountsTests {
  @Test func aPageThatStatesFewerCellsIsDamage() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Store.sqlite")
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: SalvageTwin.path())))
    let map = try PageMap(SalvageTwin.path())
    var kinds: Set<PageMap.Kind> = []
    for page in map.pages where page.number > 1 && (Effort.isLong || page.number % 3 == 0) {
      guard [.tableInterior, .tableLeaf].contains(page.kind) else { continue }
      let place = (page.number - 1) * map.pageSize + 3
      let count = Int(whole[place]) << 8 | Int(whole[place + 1])
      for stated in Set([0, count - 1]) where stated >= 0 {
        var bytes = whole
        (bytes[place], bytes[place + 1]) = (UInt8(stated >> 8), UInt8(stated & 0xff))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: CofferError.self, "page \(page.number)") {
          // Without its metadata, a store is not even opened.
          try PersistentStore.opened(path, .inPlace).requireSoundPages()
        }
        #expect(error?.code == .damagedStore)
        kinds.insert(page.kind)
      }
    }
    #expect(kinds.count == 2)
    try Data(whole).write(to: URL(fileURLWithPath: path))
    #expect(try PersistentStore.opened(path, .inPlace).pagesAddUp() == true)
  }
}
