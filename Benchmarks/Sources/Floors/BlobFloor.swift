internal import CDeflate
internal import CSQLite

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Reads every value of a store, gathers blobs to parts, and writes them with a checksum each: what an export of
/// blobs does without hashing, compressing or encoding anything.
struct BlobFloor {
  /// The bytes from which a part is written.
  private static let partSize = 512 << 10

  let path: String
  let output: String

  /// Writes all blobs.
  ///
  /// - Returns: their number of bytes, and a mixture of the checksums.
  func run() throws(FloorError) -> (byteCount: Int, checksum: UInt32) {
    let database = try CheckedDatabase(path)
    let file = unsafe creat(output, 0o644)
    guard file >= 0 else { throw FloorError(text: "floors: \(output): cannot be created") }
    defer { close(file) }
    var (part, total, checksum, hasFailed) = (ContiguousArray<UInt8>(), 0, UInt32(0), false)
    part.reserveCapacity(8 * Self.partSize)
    func end() {
      unsafe part.withUnsafeBytes { bytes in
        unsafe checksum ^= libdeflate_crc32(0, bytes.baseAddress, bytes.count)
        if unsafe write(file, bytes.baseAddress, bytes.count) != bytes.count { hasFailed = true }
      }
      total += part.count
      part.removeAll(keepingCapacity: true)
    }
    for table in try database.tables() {
      try unsafe database.read(table) { blob in
        unsafe part.append(contentsOf: blob)
        if part.count >= Self.partSize { end() }
      }
    }
    end()
    guard !hasFailed else { throw FloorError(text: "floors: \(output): cannot be written") }
    return (total, checksum)
  }
}
