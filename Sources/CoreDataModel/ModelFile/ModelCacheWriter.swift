internal import DeflateCoding

/// Writes a managed object model in the form in which Core Data keeps it in a store.
///
/// The same model always gives the same archive. What is read back equals the model, if no entity
/// declares a property of its superentity again and each superentity is part of the model; everything
/// else has no place in a cached model. Source: store-format, section 3.
package enum ModelCacheWriter {
  /// The model as Core Data's cache holds it: an archive, compressed as a raw deflate stream.
  ///
  /// - Throws: ``CofferError`` with `limit` when there is no memory to compress it.
  package static func write(_ model: ManagedObjectModel) throws(CofferError) -> [UInt8] {
    do throws(DeflateError) {
      return try deflateRaw(archive(model))
    } catch {
      throw CofferError(.modelLimit, detail: "no memory to compress the model")
    }
  }

  /// The model as a keyed archive that is not compressed.
  package static func archive(_ model: ManagedObjectModel) -> [UInt8] {
    var encoder = ModelEncoder(model)
    return encoder.archive()
  }
}
