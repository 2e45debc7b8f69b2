/// A store that a search has come upon.
public struct FoundStore: Sendable, Equatable {
  /// The path, which begins with that of the folder that was searched.
  public var path: String
  /// Where it was on the device, for a store in a backup of one: the domain and the path in it, such
  /// as `AppDomain-com.example.trips/Documents/Trips.sqlite`; nil elsewhere.
  public var devicePath: String?
  /// The bytes of the database, its write-ahead log applied, and of its external files: the two sizes
  /// of an ``Inspection`` together. Those of the files themselves where it could not be opened.
  public var byteCount: Int
  /// When it was written last, in seconds since 1970; nil where that cannot be told.
  public var modified: Double?
  /// The UUID of the store; nil where it has none, and where it could not be opened.
  public var storeUUID: String?
  /// The version of the framework that wrote it last; nil where it does not say.
  public var frameworkVersion: Int64?
  /// The systems that this version belongs to.
  public var frameworkEra: String?
  /// The names of the entities, in ascending order.
  public var entityNames: [String]
  /// How many objects there are; 0 where it could not be opened.
  public var objectCount: Int
  /// Why the store could not be opened; nil where it could, and all above is known.
  public var problem: String?
}
