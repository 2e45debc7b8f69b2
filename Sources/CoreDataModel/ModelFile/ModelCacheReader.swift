internal import DeflateCoding

/// Reads the managed object model that Core Data keeps in a store, or one in a model file.
///
/// The cached model is a keyed archive, compressed as a raw deflate stream; a model file (`.mom`) is
/// the archive as it is. Source: store-format, sections 3 and 4.
///
/// A renaming identifier that equals the name is read as nil, because Core Data writes the name
/// where the model's author gave none.
package enum ModelCacheReader {
  /// The most bytes of an archive, after it has been inflated; the largest known has 0.3 MiB.
  package static let maximumArchiveSize = 16 << 20

  /// The most bytes of a compressed archive: what cannot be compressed gets longer by very little.
  package static let maximumCompressedSize = maximumArchiveSize + (1 << 20)

  /// Reads a cached model; its source is ``ModelSource/modelCache``.
  ///
  /// - Throws: ``CofferError`` with `damaged` for a stream or archive that contradicts its format,
  ///   `notAModel` for something else than an archived model, `limit` for one that exceeds
  ///   ``maximumArchiveSize`` or another bound.
  package static func read(compressed: [UInt8]) throws(CofferError) -> ManagedObjectModel {
    guard compressed.count <= maximumCompressedSize else {
      throw CofferError(
        .modelLimit, detail: "a compressed model of \(compressed.count) bytes or more")
    }
    let archive: [UInt8]
    do throws(DeflateError) {
      archive = try inflateRaw(compressed, limit: maximumArchiveSize)
    } catch {
      throw modelError(for: error)
    }
    return try read(archive: archive, source: .modelCache)
  }

  /// Reads a model from an archive that is not compressed.
  ///
  /// - Throws: ``CofferError``, as ``read(compressed:)``.
  package static func read(
    archive: [UInt8], source: ModelSource = .file
  ) throws(CofferError) -> ManagedObjectModel {
    guard archive.count <= maximumArchiveSize else {
      throw CofferError(.modelLimit, detail: "an archive of \(archive.count) bytes")
    }
    var decoder = ModelDecoder(try KeyedArchive(archive))
    return try decoder.model(source: source)
  }

  private static func modelError(for error: DeflateError) -> CofferError {
    switch error {
    case .damaged:
      CofferError(.damagedModel, detail: "the compressed bytes contradict their format")
    case .truncated: CofferError(.damagedModel, detail: "the compressed bytes end too early")
    case .trailingBytes(let count):
      CofferError(.damagedModel, detail: "\(count) bytes follow the compressed model")
    case .limitExceeded(let limit):
      CofferError(.modelLimit, detail: "the model inflates to more than \(limit) bytes")
    case .outOfMemory: CofferError(.modelLimit, detail: "no memory to inflate the model")
    }
  }
}
