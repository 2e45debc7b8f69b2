/// What a generated store is to hold.
package struct GeneratorOptions: Sendable, Equatable {
  /// The amount of binary data of the objects.
  package enum Blobs: String, Sendable, CaseIterable {
    /// None at all.
    case none
    /// A little: a twelfth of the attachments, about 1 KB each, and some pictures of people.
    case normal
    /// Much: every attachment, about 50 KB each, up to 2 MB.
    case heavy
  }

  /// The number of objects of all entities.
  package var objectCount = 10_000
  /// The seed: the same options with the same seed give the same content.
  package var seed: UInt64 = 1
  /// The amount of binary data.
  package var blobs = Blobs.normal
  /// About how many bytes of binary data the attachments have together, with ``Blobs/heavy``.
  ///
  /// `nil` means about 55 KB for each. No blob is above 2 MB, whatever is asked for.
  package var blobBytes: Int?
  /// How many values are kept in files of their own.
  ///
  /// They are those of every third attachment, until there are so many; without binary data there
  /// are none.
  package var externalCount = 0
  /// The journal mode of the database.
  package var journal = SampleStoreBuilder.Journal.wal

  /// The minimum number of objects, one for every entity.
  package static let leastObjectCount = 10

  /// Creates the default options: 10,000 objects of the seed 1.
  package init() {}
}
