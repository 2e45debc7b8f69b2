internal import CoreDataModel
internal import DataCompression

/// A member in the archive's file.
struct WrittenMember {
  /// Where it begins.
  var offset: Int
  /// The number of bytes of the member, or of several members.
  var size: Int
}

/// Compresses blocks on other threads and writes the members in order.
struct MemberWriter {
  let output: ArchiveOutput
  /// The format of the members; nil if nothing is written.
  private let format: MemberFormat?
  private var work: OrderedWork<CompressionWork>

  init(to destination: ArchiveDestination, _ options: ArchiveWriterOptions) throws(CofferError) {
    let threads = options.isWritten ? max(0, options.threads) : 0
    do {
      work = try OrderedWork(threads: threads, slots: threads == 0 ? 1 : threads + 2) {
        () throws(CompressionError) in
        try CompressionWork(options.format, level: options.level)
      }
    } catch {
      throw CofferError(error, .writeFailed, path: destination.path)
    }
    format = options.format
    output = try ArchiveOutput(destination, encryption: options.encryption)
  }

  /// Adds bytes to the block.
  func fill(with bytes: UnsafeRawBufferPointer) {
    guard format != nil else { return }
    work.withFree { work in
      // Includes the padding. Otherwise, appending it would double the capacity.
      if bytes.count > work.plain.count {
        work.plain.reserveCapacity(work.plain.count + bytes.count + 3 * TarHeader.blockSize)
      }
      unsafe work.plain.append(contentsOf: bytes)
    }
  }

  /// Adds bytes to the block.
  func fill(with bytes: some Collection<UInt8> & Sendable) {
    if format != nil { work.withFree { $0.plain += bytes } }
  }

  /// Whether the block has no bytes.
  var isBlockEmpty: Bool { work.withFree { $0.plain.isEmpty } }

  /// Starts the compression of the block and makes space for the next.
  mutating func submit(_ number: Int?, _ entries: inout EntryList) throws(CofferError) {
    guard format != nil else { return }
    work.withFree { $0.entry = number }
    work.submit()
    if work.isFull { try writeOldest(&entries) }
  }

  /// Writes all members whose blocks were submitted.
  mutating func flush(_ entries: inout EntryList) throws(CofferError) {
    while work.inFlight > 0 { try writeOldest(&entries) }
  }

  /// Waits for the member that was submitted first and writes it.
  private mutating func writeOldest(_ entries: inout EntryList) throws(CofferError) {
    let (output, offset) = (output, output.offset)
    let number = try work.withOldest { work throws(CofferError) in
      try Self.write(work.member, work.failure, to: output)
      return work.entry
    }
    work.releaseOldest()
    guard let number else { return }
    entries.note(WrittenMember(offset: offset, size: output.offset - offset), of: number)
  }

  /// Compresses the block here and writes it; nothing may be in flight.
  func writeBlock() throws(CofferError) -> WrittenMember {
    let (output, offset) = (output, output.offset)
    try work.withFree { work throws(CofferError) in
      work.run()
      try Self.write(work.member, work.failure, to: output)
    }
    return WrittenMember(offset: offset, size: output.offset - offset)
  }

  /// Writes existing members; no compression may be in progress.
  func write(
    _ members: ContiguousArray<UInt8>, _ range: Range<Int>
  ) throws(CofferError) -> WrittenMember {
    let offset = output.offset
    if !range.isEmpty {
      try unsafe members.withBytes { bytes throws(CofferError) in
        try unsafe output.write(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
    return WrittenMember(offset: offset, size: range.count)
  }

  /// Writes the footer after the last member.
  func writeFooter(indexOffset: Int) throws(CofferError) {
    guard let footer = format?.footer(indexOffset: UInt64(indexOffset)) else { return }
    try unsafe footer.withBytes { bytes throws(CofferError) in try unsafe output.write(bytes) }
  }

  private static func write(
    _ member: ContiguousArray<UInt8>, _ failure: CompressionError?, to output: ArchiveOutput
  ) throws(CofferError) {
    if let failure { throw CofferError(failure, .writeFailed, path: output.path) }
    try unsafe member.withBytes { bytes throws(CofferError) in try unsafe output.write(bytes) }
  }
}

/// A block of tar bytes on its way to a member.
struct CompressionWork: BlockWork, ~Copyable {
  /// The tar bytes: content, with a header or padding if needed.
  var plain = ContiguousArray<UInt8>()
  /// The number of the entry that the bytes belong to; nil for the index.
  var entry: Int?
  /// The member, once the work was done.
  private(set) var member = ContiguousArray<UInt8>()
  /// Why the block could not be compressed, or nil.
  private(set) var failure: CompressionError?
  private var compressor: MemberCompressor

  /// Creates an empty piece of work with its own compressor.
  init(_ format: MemberFormat?, level: Int) throws(CompressionError) {
    compressor = try MemberCompressor(format, level: level)
  }

  mutating func run() {
    member.removeAll(keepingCapacity: true)
    do {
      try unsafe plain.withBytes { bytes throws(CompressionError) in
        try unsafe compressor.append(bytes, to: &member)
      }
    } catch {
      failure = error
    }
    plain.removeAll(keepingCapacity: true)
  }
}
