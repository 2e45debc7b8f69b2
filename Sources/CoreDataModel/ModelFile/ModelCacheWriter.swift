internal import DeflateCoding

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
    do throws(DeflateError) {
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
