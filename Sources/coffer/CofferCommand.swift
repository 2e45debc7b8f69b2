internal import CofferKit
internal import CoreDataStore

@main struct CofferCommand {
  static func main() throws {
    let a = CommandLine.arguments
    if a[1] == "export" {
      let s = try PersistentStore(readingFrom: a[2])
      let r = try StoreExporter().export(s, to: a[3])
      print(r)
    } else {
      let r = try StoreImporter().import(a[2], to: a[3])
      print(r)
    }
  }
}
