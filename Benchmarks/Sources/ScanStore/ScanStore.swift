#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Steps every row of every table of a store and reads every column, and does nothing with them.
///
/// The least that anything has to do that reads a whole store: what the benchmarks and the counts of
/// instructions compare with. It imports no Foundation, whose start-up would count.
@main enum ScanStore {
  static func main() {
    guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last else {
      fail("usage: scan-store STORE.sqlite")
    }
    guard let scan = Scan(path) else { fail("scan-store: \(path): cannot be opened") }
    for table in scan.tables() {
      guard scan.read(table) else {
        fail("scan-store: \(path): \(table): \(scan.lastMessage)")
      }
    }
    print("rows \(scan.rowCount)")
    print("cells \(scan.cellCount)")
    print("text-bytes \(scan.textByteCount)")
    print("blob-bytes \(scan.blobByteCount)")
  }

  private static func fail(_ message: String) -> Never {
    var errors = StandardError()
    print(message, to: &errors)
    exit(1)
  }
}
