internal import BackupPlaces
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// The kinds of places that the conformance suite is run with.
enum PlaceKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, folder, s3, rclone

  var testDescription: String { rawValue }

  /// Those whose programs are installed.
  static let available: [PlaceKind] = allCases.filter { kind in
    switch kind {
    case .memory, .folder: true
    case .s3: S3Server.shared != nil
    case .rclone: RclonePlace.isInstalled
    }
  }
}

/// An empty place, and a folder for the files that go there.
final class TestedPlace: Sendable {
  let place: any BackupPlace
  private let scratch: TemporaryDirectory

  init(_ kind: PlaceKind) throws {
    scratch = try TemporaryDirectory()
    place =
      switch kind {
      case .memory: MemoryPlace()
      case .folder: FolderPlace(path: scratch.file("place"))
      case .s3: try #require(S3Server.shared).newPlace()
      case .rclone: try RclonePlace.folder(scratch.file("place"))
      }
  }

  /// Writes a local file.
  func local(_ bytes: some Sequence<UInt8>) throws -> String {
    try scratch.write(bytes, to: UUID().uuidString)
  }

  /// Creates a file of the place.
  func put(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    try place.put(name, from: try local(bytes))
  }

  /// The names below a prefix.
  func names(_ prefix: String = "") throws -> [String] { try place.list(prefix).map(\.name) }

  /// A path in the scratch folder that nothing has.
  func freePath() -> String { scratch.file(UUID().uuidString) }
}

/// Bytes without a pattern, the same for the same seed.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 8)
  while bytes.count < count {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: state >> shift))
    }
  }
  bytes.removeLast(bytes.count - count)
  return bytes
}

/// The code of the error that a call throws; nil if it throws none.
func codeThrown(_ body: () throws -> Void) -> CofferError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? CofferError)?.code
  }
}
