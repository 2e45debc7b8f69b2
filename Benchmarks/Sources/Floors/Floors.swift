#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Does only one part of what coffer does, as plainly as possible: coffer cannot be faster than that.
@main enum Floors {
  private static let usage = """
    usage: floors compress FILE gzip|zstd LEVEL [BLOCK]
           floors rebuild STORE.sqlite NEW.sqlite
           floors insert STORE.sqlite NEW.sqlite
           floors check STORE.sqlite
           floors changes STORE.sqlite COUNT
           floors blobs STORE.sqlite NEW

    compress  compress each block of a file alone (524288 bytes), on two threads
    rebuild   insert all rows of a store into a new database, then create its indexes
    insert    the same, but read each row and bind its values to a statement
    check     SQLite's check of the pages beside a scan, each alone, and SQLite's check of everything
    changes   read all pages, and what a new content digest needs if COUNT scattered rows have changed
    blobs     read all values, gather the blobs to parts, and write the parts with checksums
    """

  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    do throws(FloorError) {
      switch (arguments.popFirst(), arguments.count) {
      case ("compress", 3...4): try compress(Array(arguments))
      case ("rebuild", 2): try rebuild(Array(arguments), binding: false)
      case ("insert", 2): try rebuild(Array(arguments), binding: true)
      case ("check", 1): try check(arguments[arguments.startIndex])
      case ("changes", 2): try changes(Array(arguments))
      case ("blobs", 2): try blobs(Array(arguments))
      default: throw FloorError(text: usage)
      }
    } catch {
      print(error.text)
      exit(1)
    }
  }

  private static func compress(_ arguments: [String]) throws(FloorError) {
    guard let format = CompressionFloor.Format(rawValue: arguments[1]),
      let level = Int32(arguments[2]),
      let blockSize = Int(arguments.count > 3 ? arguments[3] : "524288"), blockSize > 0
    else { throw FloorError(text: usage) }
    let floor = CompressionFloor(
      path: arguments[0], format: format, level: level, blockSize: blockSize)
    try measure("compress") { () throws(FloorError) in print("bytes \(try floor.run())") }
  }

  private static func rebuild(_ arguments: [String], binding: Bool) throws(FloorError) {
    let floor = try RebuildFloor(source: arguments[0], target: arguments[1])
    try measure("rows") { () throws(FloorError) in try floor.insertRows(binding: binding) }
    try measure("indexes") { () throws(FloorError) in try floor.createIndexes() }
    try measure("synchronize") { () throws(FloorError) in try floor.synchronize() }
  }

  private static func check(_ path: String) throws(FloorError) {
    let floor = CheckFloor(path: path)
    try measure("both") { () throws(FloorError) in try floor.checkBesideScan() }
    try measure("pages") { () throws(FloorError) in try floor.check("quick_check") }
    try measure("scan") { () throws(FloorError) in try floor.scan() }
    try measure("everything") { () throws(FloorError) in try floor.check("integrity_check") }
  }

  private static func changes(_ arguments: [String]) throws(FloorError) {
    guard let count = Int(arguments[1]), count > 0 else { throw FloorError(text: usage) }
    let floor = ChangesFloor(path: arguments[0], count: count)
    try measure("pages") { () throws(FloorError) in try floor.readPages() }
    try measure("rows") { () throws(FloorError) in
      print("share \(rounded(try floor.readRows()))")
    }
    try measure("scan") { () throws(FloorError) in try CheckFloor(path: arguments[0]).scan() }
  }

  private static func blobs(_ arguments: [String]) throws(FloorError) {
    let floor = BlobFloor(path: arguments[0], output: arguments[1])
    try measure("scan") { () throws(FloorError) in try CheckFloor(path: arguments[0]).scan() }
    try measure("blobs") { () throws(FloorError) in print(try floor.run()) }
  }

  /// Prints how long something took.
  private static func measure(
    _ name: String, _ body: () throws(FloorError) -> Void
  ) throws(FloorError) {
    let start = ContinuousClock.now
    let processorStart = clock()
    try body()
    let processor = Double(clock() - processorStart) / Double(CLOCKS_PER_SEC)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(name): \(rounded(seconds)) seconds, \(rounded(processor)) processor seconds")
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}

/// Why a measurement is impossible.
struct FloorError: Error {
  let text: String
}
