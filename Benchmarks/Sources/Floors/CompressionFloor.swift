internal import CDeflate
internal import CZstd
internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Compresses the blocks of a file on two threads, and does nothing else.
struct CompressionFloor {
  /// The compression, with the library that coffer uses for it.
  enum Format: String {
    case gzip, zstd
  }

  private static let threads = 2

  let path: String
  let format: Format
  let level: Int32
  let blockSize: Int

  /// Compresses every block alone.
  ///
  /// - Returns: the bytes of the compressed blocks.
  func run() throws(FloorError) -> Int {
    let total = Atomic(0)
    let hasFailed = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: Self.threads) { number in
      if let count = compress(from: number) {
        total.add(count, ordering: .relaxed)
      } else {
        hasFailed.store(true, ordering: .relaxed)
      }
    }
    guard !hasFailed.load(ordering: .relaxed) else {
      throw FloorError(text: "floors: \(path): cannot be compressed")
    }
    return total.load(ordering: .relaxed)
  }

  /// Compresses every second block.
  private func compress(from number: Int) -> Int? {
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 0, let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    defer { unsafe _ = munmap(start, size) }
    guard let compressor = Compressor(format, level, blockSize: blockSize) else { return nil }
    var total = 0
    for offset in stride(
      from: number * blockSize, to: size, by: Self.threads * blockSize)
    {
      let count = min(blockSize, size - offset)
      total += unsafe compressor.compress(
        UnsafeRawBufferPointer(start: start + offset, count: count))
    }
    return total
  }
}

/// A compressor of either library.
@safe private final class Compressor {
  private let gzip: OpaquePointer?
  private let zstd: OpaquePointer?
  private let room: UnsafeMutableRawBufferPointer

  init?(_ format: CompressionFloor.Format, _ level: Int32, blockSize: Int) {
    unsafe gzip = format == .gzip ? libdeflate_alloc_compressor(level) : nil
    unsafe zstd = format == .zstd ? ZSTD_createCCtx() : nil
    unsafe room = .allocate(byteCount: blockSize + blockSize / 128 + 1024, alignment: 16)
    guard unsafe gzip != nil || zstd != nil else { return nil }
    if let zstd = unsafe zstd {
      unsafe _ = ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level)
      unsafe _ = ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, 22)
      unsafe _ = ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)
    }
  }

  deinit {
    unsafe libdeflate_free_compressor(gzip)
    unsafe _ = ZSTD_freeCCtx(zstd)
    unsafe room.deallocate()
  }

  func compress(_ block: UnsafeRawBufferPointer) -> Int {
    if let zstd = unsafe zstd {
      return unsafe ZSTD_compress2(
        zstd, room.baseAddress, room.count, block.baseAddress, block.count)
    }
    return unsafe libdeflate_deflate_compress(
      gzip, block.baseAddress, block.count, room.baseAddress, room.count)
  }
}
