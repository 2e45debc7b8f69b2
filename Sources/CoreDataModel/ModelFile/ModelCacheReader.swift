internal import DataCompression

/// Reads the managed object model that Core Data keeps in a store, or one in a model file.
///
/// The cached model is a keyed archive compressed as a raw deflate stream; a model file (`.mom`) is
/// the uncompressed archive. Source: store-format, sections 3 and 4.
///
/// A renaming identifier that equals the name is read as nil, because Core Data writes the name if
/// the author of the model gave no identifier.
package enum ModelCacheReader {
  /// The maximum size of an archive in bytes, uncompressed; the largest known has 0.3 MiB.
  package static let maximumArchiveSize = 16 << 20

  /// The maximum size of a compressed archive in bytes; incompressible data grows only slightly.
  package static let maximumCompressedSize = maximumArchiveSize + (1 << 20)

  /// Reads a cached model; its source is ``ModelSource/modelCache``.
  ///
  /// - Throws: ``CofferError`` with `damaged` for a stream or archive that contradicts its format,
  ///   `notAModel` for anything but an archived model, `limit` if it exceeds ``maximumArchiveSize``
  ///   or another limit.
  package static func read(compressed: [UInt8]) throws(CofferError) -> ManagedObjectModel {
    guard compressed.count <= maximumCompressedSize else {
      throw CofferError(
        .modelLimit, detail: "a compressed model of \(compressed.count) bytes or more")
    }
    let archive: [UInt8]
    do throws(CompressionError) {
      archive = try inflateRaw(compressed, limit: maximumArchiveSize)
    } catch {
      throw modelError(for: error)
    }
    return try read(archive: archive, source: .modelCache)
  }

  /// Reads a model from an uncompressed archive.
  package static func read(
    archive: [UInt8], source: ModelSource = .file
  ) throws(CofferError) -> ManagedObjectModel {
    guard archive.count <= maximumArchiveSize else {
      throw CofferError(.modelLimit, detail: "an archive of \(archive.count) bytes")
    }
    var decoder = ModelDecoder(try KeyedArchive(archive))
    return try decoder.model(source: source)
  }

  private static func modelError(for error: CompressionError) -> CofferError {
    switch error {
    // The last three are errors of zstd.
    case .damaged, .windowExceeded, .dictionary, .unavailable:
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

/// Writes a managed object model in the form in which Core Data keeps it in a store.
///
/// The same model always gives the same archive. Reading it back gives an equal model if no entity
/// redeclares a property of its superentity and each superentity is part of the model. Anything
/// else cannot be expressed in a cached model. Source: store-format, section 3.
package enum ModelCacheWriter {
  /// The model as Core Data's cache holds it: an archive, compressed as a raw deflate stream.
  ///
  /// - Throws: ``CofferError`` with `limit` if there is not enough memory to compress it.
  package static func write(_ model: ManagedObjectModel) throws(CofferError) -> [UInt8] {
    do throws(CompressionError) {
      return try deflateRaw(archive(model))
    } catch {
      throw CofferError(.modelLimit, detail: "no memory to compress the model")
    }
  }

  /// The model as an uncompressed keyed archive.
  package static func archive(_ model: ManagedObjectModel) -> [UInt8] {
    var encoder = ModelEncoder(model)
    return encoder.archive()
  }
}
